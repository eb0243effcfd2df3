"""Train the static sub-word embedder: contrastive, binary-aware, NumPy and SciPy only, one thread.

    python benchmarks/model/train.py MINED OUTPUT.npz [--init minilm|random] [--seed 0] [--steps 1500] ...

A text is the weighted sum of the rows of its sub-words, brought to a fixed length, plus a bias; a document adds its
name slot.  The loss is InfoNCE in both directions over the float vectors, over the signs of all dimensions and over
the signs of the first half, the signs with a straight-through gradient.  A batch holds several packages with many
functions each, so most negatives come from the same package. Every 250 steps the validation packages, which training
never sees, are searched; the best checkpoint is kept.
"""

from __future__ import annotations

import argparse
import json
import pickle
import time
from collections import Counter
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from extract import question
from features import BUCKETS, Vocabulary, subtokens

QUESTIONS = [
    "how does", "how do", "how is", "how are", "where is", "where are", "where does", "what", "which", "why does",
    "find", "find the code that", "where is the code that", "the function that", "how can i", "code for", "show me",
    "where do we", "what handles", "implementation of",
]  # fmt: skip


# What a masked function is called.
GENERIC = ["f", "g", "fn", "func", "foo", "x", "method", "run", "process", "handle", "do", "helper"]


def name_slot(path: str, name: str) -> str:
    """Return what the runtime puts into the name slot: file stem, enclosing name, own name."""
    stem = path.rsplit("/", 1)[-1].split(".")[0]
    return " ".join([stem, *name.split(".")[-2:]])


class Data:
    """The mined pairs as feature matrices."""

    def __init__(self, folder: Path, size: int) -> None:
        cache = folder / f"prepared-{size}.pkl"
        if cache.exists():
            self.__dict__.update(pickle.loads(cache.read_bytes()))
            return
        rows = [json.loads(line) for line in (folder / "pairs.jsonl").open()]
        queries, fulls = [subtokens(r["q"]) for r in rows], [subtokens(r["f"])[:64] for r in rows]
        codes = [subtokens(r["c"])[:512] for r in rows]
        simple, slots = (
            [subtokens(r["n"].rsplit(".", 1)[-1]) for r in rows],
            [subtokens(name_slot(r["path"], r["n"])) for r in rows],
        )
        paths = [subtokens(r["path"]) for r in rows]
        asked, used = Counter(), Counter()
        for q, f in zip(queries, fulls, strict=True):
            asked.update(set(q) | set(f))
        for c in codes:
            used.update(set(c))
        total = Counter({w: 2 * asked[w] + used[w] for w in set(asked) | set(used)})
        self.words = [
            w for w, n in sorted(total.items(), key=lambda x: (-x[1], x[0]))[:size] if n >= 4 and len(w) <= 24
        ]
        vocabulary = Vocabulary(self.words)
        masked = [[w for w in c if w not in set(n)] for c, n in zip(codes, simple, strict=True)]
        self.packages = [r["p"] for r in rows]
        m = vocabulary.matrix
        empty = sp.csr_matrix((1, vocabulary.rows), dtype=np.float32)
        files: dict[tuple[str, str], list[int]] = {}
        for i, r in enumerate(rows):
            files.setdefault((r["p"], r["path"]), []).append(i)
        self.files = [np.array(files[r["p"], r["path"]]) for r in rows]
        # One stack a side; a batch picks rows, so that every augmentation is an index.
        self.asks = sp.vstack([m(queries), m(fulls), m(simple), empty]).tocsr()
        self.codes = sp.vstack([m(codes), m(masked)]).tocsr()
        self.names = sp.vstack([m(simple), m(slots), empty, m([[x] for x in GENERIC])]).tocsr()
        self.paths = m(paths)
        self.questions = sp.vstack([m([subtokens(q) for q in QUESTIONS]), empty]).tocsr()
        cache.write_bytes(pickle.dumps(self.__dict__))


class Validation:
    """The held-out packages: every function a candidate, first sentences as questions."""

    def __init__(self, folder: Path, words: list[str], role: str = "validation", limit: int = 400) -> None:
        vocabulary = Vocabulary(words)
        self.sets = {}
        for path in sorted(folder.glob(f"{role}-*.jsonl")):
            rows = [json.loads(line) for line in path.open()]
            sentences = [question(r["n"], r["d"]) if r["d"] else "" for r in rows]
            count = Counter(s.lower() for s in sentences)
            usable = [
                i for i, s in enumerate(sentences) if len(s.split()) >= 4 and len(s) <= 200 and count[s.lower()] == 1
            ]
            if len(usable) < 100:
                continue
            usable = sorted(np.random.default_rng(7).permutation(usable)[:limit].tolist())
            self.sets[path.stem.split("-")[1]] = (
                vocabulary.matrix([subtokens(sentences[i]) for i in usable]),
                vocabulary.matrix([subtokens(r["c"]) for r in rows]),
                vocabulary.matrix([subtokens(r["n"].rsplit(".", 1)[-1]) for r in rows]),
                np.array(usable),
            )

    def score(self, model: Model) -> dict[str, float]:
        """Return MRR@10 by language of the float question against document signs, and the mean."""
        result = {}
        for language, (queries, codes, names, answers) in self.sets.items():
            documents = np.where(model.documents(codes, names) > 0, np.float32(1), np.float32(-1))
            scores = model.queries(queries) @ documents.T
            own = scores[np.arange(len(answers)), answers][:, None]
            ranks = 1 + (scores > own).sum(1) + ((scores == own).sum(1) - 1) / 2
            result[language] = float(np.where(ranks <= 10, 1 / ranks, 0).mean())
        result["mean"] = float(np.mean(list(result.values())))
        return result


class Model:
    """Rows, log weights of both sides, biases, the name weight and three temperatures, with Adam moments."""

    def __init__(self, words: list[str], dimensions: int, seed: int, init: str, data: Data, cache: Path) -> None:
        rng = np.random.default_rng(seed)
        rows = len(words) + BUCKETS
        self.words, self.radius = words, np.float32(dimensions**0.5 * 0.5)
        e = rng.normal(0, dimensions**-0.5, (rows, dimensions)).astype(np.float32)
        if init == "minilm":
            from minilm import word_vectors

            v = word_vectors(words, cache)
            v = v - v.mean(0)
            u = np.linalg.svd(v.T @ v)[0][:, : min(dimensions, v.shape[1])]
            v = v @ u
            v /= np.linalg.norm(v, axis=1, keepdims=True) + 1e-9
            # Rotated, so that the energy is spread over all dimensions before signs are taken.
            rotation = np.linalg.qr(rng.normal(size=(dimensions, dimensions)))[0][: v.shape[1]]
            e[: len(words)] = v @ rotation + 0.1 * e[: len(words)]
        n = len(data.packages)
        weights = []
        for matrix in (data.asks[:n], data.codes[:n]):
            idf = np.log((n + 1) / (1 + np.bincount(matrix.indices, minlength=rows)))
            weights.append(np.log(idf / idf.mean() + 0.1).astype(np.float32))
        zero = np.zeros(dimensions, np.float32)
        self.p = {"e": e, "wq": weights[0], "wc": weights[1], "wn": np.array([1.0], np.float32),
                  "b": zero.copy(), "bq": zero.copy(),
                  "t": np.full(3, np.log(20.0), np.float32)}  # fmt: skip
        self.m = {k: np.zeros_like(v) for k, v in self.p.items()}
        self.v = {k: np.zeros_like(v) for k, v in self.p.items()}
        self.mean: dict[str, np.ndarray] = {}
        self.step = 0

    def finish(self, raw: np.ndarray, bias: np.ndarray) -> np.ndarray:
        return raw * (self.radius / (np.linalg.norm(raw, axis=1, keepdims=True) + 1e-9)) + bias

    def queries(self, features: sp.csr_matrix) -> np.ndarray:
        return self.finish((features.multiply(np.exp(self.p["wq"])).tocsr()) @ self.p["e"], self.p["bq"])

    def documents(self, codes: sp.csr_matrix, names: sp.csr_matrix) -> np.ndarray:
        features = (codes + names * self.p["wn"][0]).multiply(np.exp(self.p["wc"])).tocsr()
        return self.finish(features @ self.p["e"], self.p["b"])

    def adam(self, key: str, gradient: np.ndarray, rate: float, rows: np.ndarray | slice = slice(None)) -> None:
        m, v = self.m[key], self.v[key]
        m[rows] = 0.9 * m[rows] + 0.1 * gradient
        v[rows] = 0.98 * v[rows] + 0.02 * gradient * gradient
        self.p[key][rows] -= rate * (m[rows] / (1 - 0.9**self.step)) / (np.sqrt(v[rows] / (1 - 0.98**self.step)) + 1e-8)

    def update(
        self, asks: sp.csr_matrix, codes: sp.csr_matrix, names: sp.csr_matrix, rate: float, other: float
    ) -> float:
        """Take one step; returns the loss."""
        p = self.p
        self.step += 1
        n = asks.shape[0]
        ids = np.unique(np.concatenate([asks.indices, codes.indices, names.indices]))
        local = np.empty(len(p["wq"]), np.int32)
        local[ids] = np.arange(len(ids), dtype=np.int32)
        shape = (n, len(ids))
        a, c, k = (sp.csr_matrix((x.data, local[x.indices], x.indptr), shape=shape) for x in (asks, codes, names))
        e, wq, wc, wn = p["e"][ids], np.exp(p["wq"][ids]), np.exp(p["wc"][ids]), p["wn"][0]
        eq, ec = e * wq[:, None], e * wc[:, None]
        name_part = k @ ec
        raw_q, raw_c = a @ eq, c @ ec + wn * name_part
        length_q, length_c = (np.linalg.norm(x, axis=1, keepdims=True) + 1e-9 for x in (raw_q, raw_c))
        unit_q, unit_c = raw_q / length_q, raw_c / length_c
        q, d = unit_q * self.radius + p["bq"], unit_c * self.radius + p["b"]
        half = q.shape[1] // 2
        grad_q, grad_d, loss = np.zeros_like(q), np.zeros_like(d), 0.0
        grad_t = np.zeros(3, np.float32)
        slope_q, slope_d = 1.5 * (1 - np.tanh(1.5 * q) ** 2), 1.5 * (1 - np.tanh(1.5 * d) ** 2)
        for i in range(3):
            cut = slice(0, half) if i == 2 else slice(None)
            x, y = (q, d) if i == 0 else (np.sign(q[:, cut]), np.sign(d[:, cut]))
            nx, ny = (np.linalg.norm(z, axis=1, keepdims=True) + 1e-9 for z in (x, y))
            x, y = x / nx, y / ny
            scale = np.exp(p["t"][i])
            logits = scale * (x @ y.T)
            rows = np.exp(logits - logits.max(1, keepdims=True))
            rows /= rows.sum(1, keepdims=True)
            columns = np.exp(logits - logits.max(0, keepdims=True))
            columns /= columns.sum(0, keepdims=True)
            at = np.arange(n)
            loss -= float(np.log(rows[at, at] + 1e-12).mean() + 0.5 * np.log(columns[at, at] + 1e-12).mean())
            g = rows + 0.5 * columns
            g[at, at] -= 1.5
            g /= n
            grad_t[i] = (g * logits).sum()
            g *= scale
            gx, gy = g @ y, g.T @ x
            gx = (gx - x * (gx * x).sum(1, keepdims=True)) / nx
            gy = (gy - y * (gy * y).sum(1, keepdims=True)) / ny
            if i:
                gx, gy = gx * slope_q[:, cut], gy * slope_d[:, cut]
            grad_q[:, cut] += gx
            grad_d[:, cut] += gy
        raw_gq = (grad_q - unit_q * (grad_q * unit_q).sum(1, keepdims=True)) * (self.radius / length_q)
        raw_gc = (grad_d - unit_c * (grad_d * unit_c).sum(1, keepdims=True)) * (self.radius / length_c)
        at_q, at_c = a.T @ raw_gq, (c + k * wn).T @ raw_gc
        self.adam("e", at_q * wq[:, None] + at_c * wc[:, None], rate, ids)
        self.adam("wq", wq * (at_q * e).sum(1), other, ids)
        self.adam("wc", wc * (at_c * e).sum(1), other, ids)
        self.adam("wn", np.array([(raw_gc * name_part).sum()]), other)
        self.adam("b", grad_d.sum(0), other)
        self.adam("bq", grad_q.sum(0), other)
        self.adam("t", grad_t, other)
        return loss

    def average(self, decay: float) -> None:
        """Move the running averages towards the parameters."""
        if not self.mean:
            self.mean = {k: v.copy() for k, v in self.p.items()}
        for key, value in self.p.items():
            self.mean[key] += (1 - decay) * (value - self.mean[key])

    def averaged(self) -> Model:
        """Return a view of this model with the averaged parameters."""
        other = Model.__new__(Model)
        other.words, other.radius, other.p = self.words, self.radius, self.mean or self.p
        return other

    def save(self, path: Path) -> None:
        p = self.p
        np.savez(path, E=p["e"], wq=np.exp(p["wq"]), wc=np.exp(p["wc"]), wn=p["wn"][0], b=p["b"], bq=p["bq"],
                 vocab=np.array(self.words),
                 NB=BUCKETS)  # fmt: skip


def drop(matrix: sp.csr_matrix, share: float, rng: np.random.Generator) -> sp.csr_matrix:
    """Remove a share of the features at random, from rows with at least four."""
    sizes = np.diff(matrix.indptr)
    keep = (rng.random(matrix.nnz) >= share) | np.repeat(sizes < 4, sizes)
    ends = np.concatenate([[0], np.cumsum(keep)])[matrix.indptr]
    return sp.csr_matrix((matrix.data[keep], matrix.indices[keep], ends), shape=matrix.shape)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mined", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--init", default="minilm", choices=("minilm", "random"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--batch", type=int, default=768)
    parser.add_argument("--packages", type=int, default=6, help="packages a batch is drawn from")
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--weight-rate", type=float, default=1e-2)
    parser.add_argument("--drop", type=float, default=0.3)
    parser.add_argument("--mask", type=float, default=0.2, help="share of documents whose own name is removed")
    parser.add_argument("--generic", type=float, default=0.0, help="share of removed names that become f, run, ...")
    parser.add_argument(
        "--context", type=float, default=0.0, help="share of documents with a neighbour of the same file"
    )
    parser.add_argument("--question", type=float, default=0.25, help="share of descriptions phrased as a question")
    parser.add_argument(
        "--slot", type=float, default=0.5, help="share of name slots with file stem and enclosing name, and path words"
    )
    parser.add_argument(
        "--average", type=float, default=0.0, help="decay, every ten steps, of a running average to keep"
    )
    parser.add_argument("--words", type=int, default=32000)
    parser.add_argument("--dimensions", type=int, default=512)
    parser.add_argument("--exclude", nargs="*", default=(), help="languages to leave out")
    parser.add_argument("--every", type=int, default=250)
    o = parser.parse_args()
    started = time.time()
    data = Data(o.mined, o.words)
    n = len(data.packages)
    validation = Validation(o.mined, data.words)
    model = Model(data.words, o.dimensions, o.seed, o.init, data, o.mined)
    rng = np.random.default_rng(100 + o.seed)
    groups: dict[str, list[int]] = {}
    for i, package in enumerate(data.packages):
        groups.setdefault(package, []).append(i)
    names = sorted(groups)
    chance = np.array([len(groups[x]) for x in names], float) ** 0.75
    chance /= chance.sum()
    print(f"{n} pairs, {len(names)} packages, {len(data.words)} words, {time.time() - started:.0f} s", flush=True)
    print(0, json.dumps({k: round(v, 4) for k, v in validation.score(model).items()}), flush=True)
    best, average = -1.0, 0.0
    for step in range(1, o.steps + 1):
        batch = np.concatenate([
            rng.choice(groups[names[g]], o.batch // o.packages, replace=len(groups[names[g]]) < o.batch // o.packages)
            for g in rng.choice(len(names), o.packages, p=chance, replace=False)
        ])  # fmt: skip
        batch = np.unique(batch)
        r = rng.random((6, len(batch)))
        by_name = (r[0] < 0.08) & (np.diff(data.names.indptr)[batch] >= 2)
        full = ~by_name & (r[1] < 0.2) & (np.diff(data.asks.indptr)[n + batch] > 1)
        masked = by_name | (r[2] < o.mask)
        slot = r[3] < o.slot
        asks = data.asks[np.where(by_name, 2 * n + batch, np.where(full, n + batch, batch))]
        asks = (
            asks
            + data.questions[np.where(r[4] < o.question, rng.integers(len(QUESTIONS), size=len(batch)), len(QUESTIONS))]
        )
        codes = data.codes[np.where(masked, n + batch, batch)]
        codes = codes + sp.diags_array((slot & ~masked).astype(np.float32)) @ data.paths[batch]
        unnamed = 2 * n + np.where(r[5] >= o.generic, 0, rng.integers(1, len(GENERIC) + 1, size=len(batch)))
        slots = data.names[np.where(masked, unnamed, np.where(slot, n + batch, batch))]
        near = np.array([rng.choice(data.files[i]) for i in batch])
        joined = sp.diags_array(((rng.random(len(batch)) < o.context) & (near != batch) & ~masked).astype(np.float32))
        codes, slots = codes + joined @ data.codes[near], slots + joined @ data.names[near]
        fraction = step / o.steps
        schedule = min(1, step / 50) * (1 - fraction) + 0.02 * fraction
        asks, codes, slots = (sp.csr_matrix(x) for x in (asks, codes, slots))
        asks, codes = drop(asks, o.drop, rng), drop(codes, o.drop, rng)
        loss = model.update(asks, codes, slots, o.rate * schedule, o.weight_rate * schedule)
        average = loss if step == 1 else 0.97 * average + 0.03 * loss
        if o.average and step > 100 and step % 10 == 0:
            model.average(o.average)
        if step % o.every == 0 or step == o.steps:
            smooth = model.averaged()
            score = validation.score(smooth)
            print(step, f"{time.time() - started:.0f} s", round(average, 3), f"wn {model.p['wn'][0]:.2f}",
                  json.dumps({k: round(v, 4) for k, v in score.items()}), flush=True)  # fmt: skip
            if score["mean"] > best:
                best = score["mean"]
                smooth.save(o.output)
    print("best", round(best, 4), flush=True)


if __name__ == "__main__":
    main()
