"use strict";
// Draws what the element "data" holds.  Every name and source line goes into the page as text, never as markup.
(() => {
  const root = document.documentElement;
  const element = (id) => document.getElementById(id);

  // What went wrong is told to the reader and, as data attributes, to whoever opens the page by program.
  const failed = (message) => {
    root.dataset.state = "failed";
    root.dataset.error = message;
    element("trouble").hidden = false;
    element("trouble").textContent = `The picture could not be drawn: ${message}`;
  };
  window.addEventListener("error", (event) => failed(event.message));
  window.addEventListener("unhandledrejection", (event) => failed(String(event.reason)));
  document.addEventListener("securitypolicyviolation", (event) => {
    root.dataset.violations = `${root.dataset.violations || ""} ${event.violatedDirective} ${event.blockedURI}`.trim();
  });

  const data = JSON.parse(element("data").textContent);
  const nodes = data.nodes;
  const edges = data.edges.map((edge, id) => ({ ...edge, id }));
  const start = nodes.filter((node) => node.level === 0).map((node) => node.id);
  const outward = nodes.map(() => []);
  const inward = nodes.map(() => []);
  for (const edge of edges) {
    outward[edge.from].push(edge);
    inward[edge.to].push(edge);
  }

  const TIERS = [
    ["T0", "same scope", "#1f77d0", "#6db3f8"],
    ["T1", "imported", "#0f8b6c", "#4fd0ab"],
    ["T2", "own class or its bases", "#7a4fc9", "#b99af5"],
    ["T3", "type of the receiver", "#b36a00", "#f0ab45"],
    ["T4", "only method of that name", "#c2406b", "#f58aae"],
    ["T5", "one of several", "#c8372d", "#ff8579"],
  ];
  const LABEL = 30; // characters
  const WIDTH = 330; // of a column
  const HEIGHT = 44; // of a row
  const shownTiers = new Set(TIERS.map(([tier]) => tier));
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let centres = start;
  let chosen = null; // {node} or {edge}
  let network = null;
  let own = false; // whether the reader chose what part to see
  let visible = { levels: new Map(), edges: [] };

  const style = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const colour = (tier) => {
    const row = TIERS.find(([name]) => name === tier);
    return row ? row[dark.matches ? 3 : 2] : style("--weak");
  };
  // Characters that are invisible, are half a character, or turn the direction of writing would let a name look like another.
  const clean = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff]/gu, "\ufffd");
  const shorten = (text, size) => (text.length > size ? `${text.slice(0, size - 1)}…` : text);
  const parts = (name) => name.split(/(?<=[.:/#])/);
  const label = (node) => {
    const words = parts(node.name);
    let text = words.pop();
    if (node.kind === "module") while (words.length && text.length + words[words.length - 1].length <= LABEL) text = words.pop() + text;
    // Any other name is known together with what encloses it.
    else if (words.length && text.length < LABEL - 6) text = shorten(words[words.length - 1], LABEL - text.length) + text;
    return clean(text.length > LABEL ? `…${text.slice(1 - LABEL)}` : text);
  };
  const isGuess = (edge) => edge.status !== "resolved";
  const percent = (value) => value.toFixed(2);
  const made = (tag, text, name) => {
    const one = document.createElement(tag);
    if (text !== undefined) one.textContent = clean(text);
    if (name) one.className = name;
    return one;
  };
  /** Return an element with a name that may be broken between its parts. */
  const named = (tag, name, className) => {
    const one = made(tag, undefined, className);
    for (const part of parts(name)) one.append(clean(part), document.createElement("wbr"));
    return one;
  };
  const tag = (edge) => {
    const one = made("span", `${edge.tier} ${percent(edge.confidence)}${isGuess(edge) ? ` ${edge.status.replace("_", " ")}` : ""}`, "tag");
    one.style.color = colour(edge.tier);
    return one;
  };
  const site = (one) => {
    const item = document.createDocumentFragment();
    item.append(made("span", `${one.path}:${one.line}`, "place weak"), made("code", one.text));
    return item;
  };
  const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

  // --- what is visible -----------------------------------------------------------------------------------------------------

  const passes = (edge) =>
    edge.confidence >= Number(element("confidence").value) &&
    shownTiers.has(edge.tier) &&
    (element("guesses").checked || !isGuess(edge)) &&
    (element("tests").checked || [edge.from, edge.to].every((id) => !nodes[id].test || centres.includes(id)));

  /** Return the nodes within reach of the centres by steps (negative: callers) and, for each, the surest way there. */
  const reach = () => {
    const levels = new Map(centres.map((id) => [id, { level: 0, sure: 1, edge: null }]));
    const depth = Number(element("depth").value);
    const front = { "-1": centres, 1: centres };
    for (let step = 1; step <= depth; step += 1)
      for (const side of [-1, 1]) {
        const found = new Map();
        for (const id of front[side])
          for (const edge of (side < 0 ? inward : outward)[id]) {
            const other = side < 0 ? edge.from : edge.to;
            if (levels.has(other) || !passes(edge)) continue;
            const sure = levels.get(id).sure * edge.confidence;
            const known = found.get(other);
            if (!known || isGuess(known.edge) > isGuess(edge) || (isGuess(known.edge) === isGuess(edge) && known.sure < sure))
              found.set(other, { level: side * step, sure, edge });
          }
        for (const [id, way] of found) levels.set(id, way);
        front[side] = [...found.keys()].filter((id) => nodes[id].kind !== "module");
      }
    const across = element("across").checked;
    const drawn = edges.filter(
      (edge) =>
        levels.has(edge.from) && levels.has(edge.to) && passes(edge) && (across || levels.get(edge.from).level < levels.get(edge.to).level),
    );
    return { levels, edges: drawn };
  };

  /** Return the column of every node, and the nodes in the order of their columns, neighbours near each other. */
  const columns = () => {
    const levels = [...new Set([...visible.levels.values()].map((way) => way.level))].sort((a, b) => a - b);
    const place = new Map(); // where a node stands in its level, from 0 to 1
    const order = new Map();
    for (const level of [...levels].sort((a, b) => Math.abs(a) - Math.abs(b))) {
      const ids = [...visible.levels].filter(([, way]) => way.level === level).map(([id]) => id);
      const key = (id) => {
        const nearer = visible.edges
          .filter((edge) => edge.from === id || edge.to === id)
          .map((edge) => place.get(edge.from === id ? edge.to : edge.from))
          .filter((value) => value !== undefined);
        return nearer.length ? nearer.reduce((a, b) => a + b) / nearer.length : 0.5;
      };
      const keys = new Map(ids.map((id) => [id, key(id)]));
      ids.sort((a, b) => keys.get(a) - keys.get(b) || nodes[a].test - nodes[b].test || nodes[a].path.localeCompare(nodes[b].path) || a - b);
      ids.forEach((id, at) => place.set(id, (at + 0.5) / ids.length));
      order.set(level, ids);
    }
    // A full level takes several columns, as many as make the picture largest in its frame.
    const counts = levels.map((level) => order.get(level).length);
    const frame = element("picture");
    const scale = (rows) => {
      const wide = counts.reduce((sum, count) => sum + Math.ceil(count / rows), 0);
      return Math.min(frame.clientWidth / (wide * WIDTH), frame.clientHeight / (Math.min(rows, Math.max(...counts)) * HEIGHT));
    };
    let rows = 12;
    for (let more = rows + 1; more <= 80; more += 1) if (scale(more) > scale(rows) * 1.001) rows = more;
    const column = new Map();
    let next = 0;
    const sorted = [];
    for (const level of levels) {
      const ids = order.get(level);
      const count = Math.ceil(ids.length / rows);
      ids.forEach((id, at) => column.set(id, next + (at % count)));
      sorted.push(...ids);
      next += count;
    }
    return { column, sorted };
  };

  // --- drawing -----------------------------------------------------------------------------------------------------------------

  const tip = (node) => {
    const box = made("div", undefined, "tip");
    const way = visible.levels.get(node.id);
    box.append(made("b", node.name), made("div", `${node.kind} · ${node.path}:${node.line}`, "place weak"));
    if (way && way.edge) {
      box.append(tag(way.edge), made("span", way.edge.count > 1 ? `${plural(way.edge.count, "site")}, first:` : "at", "weak"));
      const line = made("div");
      line.append(site(way.edge.sites[0]));
      box.append(line);
    } else if (node.signature) box.append(made("code", node.signature));
    return box;
  };
  const edgeTip = (edge) => {
    const box = made("div", undefined, "tip");
    box.append(tag(edge), made("b", `${label(nodes[edge.from])} → ${label(nodes[edge.to])}`));
    for (const one of edge.sites.slice(0, 5)) {
      const line = made("div");
      line.append(site(one));
      box.append(line);
    }
    if (edge.count > 5) box.append(made("div", `and ${edge.count - 5} more`, "weak"));
    return box;
  };

  const most = Math.max(...nodes.map((node) => node.rank), 1e-12);
  const near = () => {
    if (!chosen) return null;
    const ids = new Set(chosen.edge ? [chosen.edge.from, chosen.edge.to] : [chosen.node]);
    const lines = new Set(chosen.edge ? [chosen.edge.id] : []);
    if (!chosen.edge)
      for (const edge of visible.edges)
        if (edge.from === chosen.node || edge.to === chosen.node) {
          lines.add(edge.id);
          ids.add(edge.from).add(edge.to);
        }
    return { ids, lines };
  };
  const nodeLook = (node, lit) => {
    const way = visible.levels.get(node.id);
    const centre = way.level === 0;
    const tint = centre ? style("--accent") : colour(way.edge.tier);
    const faded = lit && !lit.ids.has(node.id);
    const size = Math.sqrt(node.rank / most);
    const selected = chosen && chosen.node === node.id;
    return {
      id: node.id,
      opacity: faded ? 0.18 : 1,
      borderWidth: selected ? 4 : centre ? 3 : 1.5,
      color: { border: tint, background: centre ? style("--accent") : style("--ground") },
      font: {
        face: "system-ui, sans-serif", size: 13 + 5 * size,
        color: faded ? style("--line") : centre ? style("--ground") : style("--ink"),
      },
      margin: { top: 5 + 5 * size, bottom: 5 + 5 * size, left: 8 + 5 * size, right: 8 + 5 * size },
      shapeProperties: { borderDashes: node.test ? [4, 3] : false, borderRadius: 4 },
    };
  };
  const edgeLook = (edge, lit) => {
    const faded = lit && !lit.lines.has(edge.id);
    const back = visible.levels.get(edge.from).level >= visible.levels.get(edge.to).level;
    return {
      id: edge.id,
      color: { color: colour(edge.tier), opacity: faded ? 0.06 : lit ? 1 : back ? 0.3 : 0.65, inherit: false },
      dashes: isGuess(edge) ? [7, 5] : false,
      width: (lit && !faded ? 2 : 1) + Math.min(2, Math.log10(edge.count)),
    };
  };

  /** Return where each node goes: the levels of the hierarchical layout, without gaps and each centred. */
  const arrange = () => {
    const { column, sorted } = columns();
    const layout = new vis.Network(
      element("picture"),
      { nodes: sorted.map((id) => ({ id, level: column.get(id) })), edges: visible.edges.map(({ from, to }) => ({ from, to })) },
      {
        layout: {
          hierarchical: {
            direction: "LR", levelSeparation: WIDTH, nodeSpacing: HEIGHT, treeSpacing: HEIGHT, blockShifting: false,
            edgeMinimization: false, parentCentralization: false,
          },
        },
        physics: false,
      },
    );
    const places = new Map(Object.entries(layout.getPositions()).map(([id, place]) => [Number(id), place]));
    layout.destroy(); // it would run again whenever a node changes its look
    const groups = new Map();
    for (const [id, at] of column) groups.set(at, [...(groups.get(at) || []), id]);
    for (const ids of groups.values()) {
      ids.sort((a, b) => places.get(a).y - places.get(b).y);
      ids.forEach((id, at) => (places.get(id).y = (at - (ids.length - 1) / 2) * HEIGHT));
    }
    return places;
  };

  const draw = () => {
    root.dataset.state = root.dataset.state === "failed" ? "failed" : "loading";
    visible = reach();
    if (chosen && (chosen.edge ? !visible.edges.includes(chosen.edge) : !visible.levels.has(chosen.node))) chosen = null;
    const places = arrange();
    const lit = near();
    if (network) network.destroy();
    own = false;
    network = new vis.Network(
      element("picture"),
      {
        nodes: new vis.DataSet(
          [...places].map(([id, place]) => ({ ...nodeLook(nodes[id], lit), ...place, label: label(nodes[id]), title: tip(nodes[id]) })),
        ),
        edges: new vis.DataSet(visible.edges.map((edge) => ({ ...edgeLook(edge, lit), from: edge.from, to: edge.to, title: edgeTip(edge) }))),
      },
      {
        physics: false,
        nodes: { shape: "box", chosen: false },
        edges: {
          arrows: { to: { enabled: true, scaleFactor: 0.45 } }, chosen: false, hoverWidth: 0,
          smooth: { enabled: true, type: "cubicBezier", forceDirection: "horizontal", roundness: 0.45 },
        },
        interaction: { hover: true, tooltipDelay: 120, keyboard: false, dragNodes: true, multiselect: false, zoomSpeed: 0.6 },
      },
    );
    network.once("afterDrawing", () => {
      fit(); // only now the size of every node is known
      network.once("afterDrawing", () => {
        if (root.dataset.state === "failed") return;
        root.dataset.nodes = visible.levels.size;
        root.dataset.edges = visible.edges.length;
        root.dataset.requests = performance.getEntriesByType("resource").length;
        root.dataset.state = "drawn";
      });
    });
    network.on("click", (event) => {
      if (event.nodes.length) choose({ node: event.nodes[0] });
      else if (event.edges.length) choose({ edge: edges[event.edges[0]] });
      else choose(null);
    });
    for (const moved of ["zoom", "dragEnd"]) network.on(moved, () => (own = true));
    network.on("resize", () => requestAnimationFrame(() => own || fit())); // after the library's own idea of it
    network.on("doubleClick", (event) => event.nodes.length && centre([event.nodes[0]]));
    tell();
  };
  const fit = () => {
    const boxes = [...visible.levels.keys()].map((id) => network.getBoundingBox(id));
    const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
    const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
    const frame = element("picture");
    const scale = Math.min((frame.clientWidth - 30) / (right - left), (frame.clientHeight - 80) / (bottom - top), 1.1);
    own = false;
    network.moveTo({ position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale });
  };
  const relight = () => {
    const lit = near();
    network.body.data.nodes.update([...visible.levels.keys()].map((id) => nodeLook(nodes[id], lit)));
    network.body.data.edges.update(visible.edges.map((edge) => edgeLook(edge, lit)));
  };

  // --- choosing ----------------------------------------------------------------------------------------------------------------

  const choose = (what, { move = false } = {}) => {
    chosen = what;
    if (what && what.node !== undefined && !visible.levels.has(what.node)) {
      centres = [what.node]; // hidden by the filters or too far away: look from there
      draw();
    } else relight();
    if (move && what && what.node !== undefined) network.focus(what.node, { scale: Math.max(network.getScale(), 0.8) });
    root.dataset.chosen = clean((what ? (what.edge ? [what.edge.from, what.edge.to] : [what.node]) : []).map((id) => nodes[id].name).join(" "));
    describe();
  };
  const centre = (ids) => {
    centres = ids;
    chosen = null;
    draw();
    describe();
  };

  const link = (id) => {
    const one = named("button", nodes[id].name, "link");
    one.type = "button";
    one.addEventListener("click", () => choose({ node: id }, { move: true }));
    return one;
  };
  const list = (title, around, other, all) => {
    const box = document.createDocumentFragment();
    const missing = Math.max(0, all - around.length);
    box.append(made("h3", `${title} (${around.length}${missing ? `, and ${missing} that this page does not hold` : ""})`));
    const items = made("ul", undefined, "items");
    for (const edge of around) {
      const item = made("li");
      const sites = made("ul", undefined, "items");
      for (const one of edge.sites.slice(0, 3)) {
        const line = made("li");
        line.append(site(one));
        sites.append(line);
      }
      if (edge.count > 3) sites.append(made("li", `and ${plural(edge.count - 3, "more site")}`, "weak"));
      item.append(link(edge[other]), tag(edge), sites);
      items.append(item);
    }
    box.append(items);
    return box;
  };
  const describe = () => {
    const box = element("details");
    box.replaceChildren();
    if (chosen && chosen.edge) {
      const edge = chosen.edge;
      box.append(made("h2", "Edge"), link(edge.from), made("p", "uses", "weak"), link(edge.to), tag(edge));
      box.append(made("h3", `Sites (${edge.count}${edge.count > edge.sites.length ? `, ${edge.sites.length} of them listed` : ""})`));
      const items = made("ul", undefined, "items");
      for (const one of edge.sites) {
        const item = made("li");
        item.append(site(one), tag(one), made("span", `${one.kind} in ${one.caller} of ${one.callee}`, "weak"));
        items.append(item);
      }
      box.append(items);
      return;
    }
    const id = chosen ? chosen.node : centres.length === 1 ? centres[0] : null;
    if (id === null) {
      box.append(made("h2", `${data.symbol} names ${centres.length} definitions`));
      const items = made("ul", undefined, "items");
      for (const one of centres) {
        const item = made("li");
        item.append(link(one), made("span", `${nodes[one].path}:${nodes[one].line}`, "place weak"));
        items.append(item);
      }
      box.append(items);
      return;
    }
    const node = nodes[id];
    box.append(named("h2", node.name), made("p", `${node.kind}${node.test ? " in a test" : ""} · rank ${node.rank.toPrecision(2)}`, "weak"));
    box.append(made("span", `${node.path}:${node.line}`, "place"));
    if (node.signature) box.append(made("code", node.signature));
    if (node.docstring) box.append(made("p", node.docstring));
    if (centres.length !== 1 || centres[0] !== id) {
      const button = made("button", "Centre here");
      button.type = "button";
      button.id = "centre";
      button.addEventListener("click", () => centre([id]));
      box.append(button);
    }
    box.append(list("Callers", inward[id], "from", node.callers), list("Callees", outward[id], "to", node.callees));
  };

  // --- around the picture ------------------------------------------------------------------------------------------------------

  const tell = () => {
    element("subject").textContent = clean(centres.length === 1 ? nodes[centres[0]].name : data.symbol);
    const ways = [...visible.levels.values()];
    const steps = plural(Number(element("depth").value), "step");
    element("left").textContent = `← ${plural(ways.filter((way) => way.level < 0).length, "caller")} within ${steps}`;
    element("right").textContent = `${plural(ways.filter((way) => way.level > 0).length, "callee")} within ${steps} →`;
    element("depth-shown").textContent = element("depth").value;
    element("confidence-shown").textContent = percent(Number(element("confidence").value));
    element("home").hidden = centres === start;
    root.dataset.centre = clean(centres.map((id) => nodes[id].name).join(" "));
  };
  const legend = () => {
    const box = element("legend");
    box.replaceChildren();
    for (const [tier, meaning] of TIERS) {
      const count = edges.filter((edge) => edge.tier === tier).length;
      if (!count) continue;
      const row = made("label");
      const check = made("input");
      check.type = "checkbox";
      check.checked = shownTiers.has(tier);
      check.dataset.tier = tier;
      check.addEventListener("change", () => {
        if (check.checked) shownTiers.add(tier);
        else shownTiers.delete(tier);
        draw();
        describe();
      });
      const swatch = made("span", undefined, "swatch");
      swatch.style.borderColor = colour(tier);
      row.append(check, swatch, made("span", `${tier} ${meaning} (${count})`));
      box.append(row);
    }
    const explain = (name, text) => {
      const row = made("label");
      row.append(made("span", undefined, name), made("span", text));
      box.append(row);
    };
    explain("stroke", "sure edge");
    explain("stroke dashed", "guess: one of several, or may dispatch to an override");
    const test = made("label");
    const swatch = made("span", undefined, "swatch");
    swatch.style.borderStyle = "dashed";
    test.append(swatch, made("span", "in a test"));
    box.append(test, made("p", "Larger is more central (PageRank). Click shows details, a double click centres.", "weak"));
  };
  const missing = () => {
    const box = element("missing");
    const cut = Object.entries(data.cut).map(([level, count]) => {
      const steps = Math.abs(Number(level));
      return `${plural(count, Number(level) < 0 ? "caller" : "callee")} ${plural(steps, "step")} away`;
    });
    const notes = [...data.notes];
    if (cut.length) notes.unshift(`${nodes.length} definitions are drawn, the nearest and surest. Cut: ${cut.join(", ")}.`);
    if (notes.length) box.append(made("h3", "Not shown"));
    for (const note of notes) box.append(made("p", note));
  };
  const search = () => {
    const wanted = element("search").value.trim().toLowerCase();
    const box = element("found");
    box.replaceChildren();
    if (!wanted) return [];
    const rank = (node) => {
      const name = node.name.toLowerCase();
      const last = parts(name).pop();
      return last === wanted ? 0 : last.startsWith(wanted) ? 1 : last.includes(wanted) ? 2 : name.includes(wanted) ? 3 : 4;
    };
    const hits = nodes
      .filter((node) => node.name.toLowerCase().includes(wanted) || node.path.toLowerCase().includes(wanted))
      .sort((a, b) => rank(a) - rank(b) || b.rank - a.rank || a.id - b.id);
    for (const node of hits.slice(0, 12)) {
      const item = made("li");
      const one = named("button", node.name, "link");
      one.type = "button";
      one.addEventListener("click", () => take(node.id));
      item.append(one);
      box.append(item);
    }
    if (!hits.length) box.append(made("li", "nothing here is called that", "weak"));
    return hits;
  };
  const take = (id) => {
    element("found").replaceChildren();
    choose({ node: id }, { move: true });
  };

  element("depth").max = data.depth;
  element("depth").value = data.depth;
  element("confidence").min = data.min_confidence;
  element("confidence").value = data.min_confidence;
  for (const id of ["depth", "confidence", "guesses", "tests", "across"])
    element(id).addEventListener("input", () => {
      draw();
      describe();
    });
  element("fit").addEventListener("click", fit);
  element("home").addEventListener("click", () => centre(start));
  element("search").addEventListener("input", search);
  element("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      const hits = search();
      if (hits.length) take(hits[0].id);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    element("found").replaceChildren();
    if (chosen) choose(null);
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) element("found").replaceChildren();
  });
  dark.addEventListener("change", () => {
    legend();
    draw();
    describe();
  });

  legend();
  missing();
  draw();
  describe();
})();
