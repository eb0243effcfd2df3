"""Finding a function by what its author says of it: the bundled model beside BM25, LSA and MiniLM.

The pools are the functions of packages that no training saw (`benchmarks/model/packages.tsv`), descriptions removed;
the questions are first sentences of descriptions, of at least four words and unique, without the function's own name
in front.  One function is right. Cells are MRR@10 with a 95 % interval from resampling questions; ties count at their
average rank.

    python benchmarks/model/download.py ARCHIVES validation test && python benchmarks/model/mine.py ARCHIVES MINED
    python -m benchmarks embedding MINED
    python -m benchmarks embedding --growth benchmarks/results/vectors.json      # search time by the number of chunks
    python -m benchmarks embedding --speed           # of the bundled model: memory, to load, a question, chunks a second; CPU time
    python -m benchmarks embedding --table benchmarks/results/embedding.jsonl    # the stored rows as a table
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import sysconfig
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from quatrain._kernels import embedding, hamming
from quatrain.embedders import bundled
from quatrain.embedders.protocol import EmbeddedQuery, EmbedderIdentity
from quatrain.indexes import vectors
from quatrain.parsing.chunks import chunk_document
from quatrain.parsing.parse import parse_source
from quatrain.storage.reader import Segment
from quatrain.storage.writer import SegmentWriter

__all__ = ["add_arguments", "run"]

HERE = Path(__file__).parent
STOP = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "to",
        "in",
        "for",
        "is",
        "and",
        "or",
        "be",
        "this",
        "that",
        "with",
        "on",
        "by",
        "it",
        "as",
        "from",
        "at",
        "are",
        "if",
    ]
)
MODEL_TOOLS = HERE / "model"
LIMITS = {"python": 2000}
PER_PACKAGE = 620


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("mined", type=Path, nargs="?", help="folder that benchmarks/model/mine.py filled")
    parser.add_argument(
        "--growth", type=Path, metavar="JSON", help="time the search over made-up codes instead; plot beside it"
    )
    parser.add_argument("--speed", action="store_true", help="time loading, questions and chunks instead")
    parser.add_argument("--chunks", type=int, default=10_000_000, help="of the largest file of --growth")
    parser.add_argument("--table", type=Path, metavar="JSONL", help="print stored results instead")
    parser.add_argument("--role", default="test", choices=("test", "validation"))
    parser.add_argument("--languages", nargs="*")
    parser.add_argument("--model", type=Path, help="another packed model than the one that ships")
    parser.add_argument(
        "--methods", nargs="*", default=["bundled", "bm25", "lsa"], choices=["bundled", "bm25", "lsa", "minilm"]
    )
    parser.add_argument(
        "--dimensions", type=int, nargs="*", default=[512, bundled.DIMENSIONS], help="of the codes of the bundled model"
    )
    parser.add_argument("--masked", action="store_true", help="replace each function's own name by f")
    parser.add_argument("--limit", type=int, default=1200, help="questions a language (Python: 2000)")
    parser.add_argument("--pool", type=int, help="at most so many functions, the right ones among them")
    parser.add_argument("--noise", action="store_true", help="cosines of questions with and without meaning instead")
    parser.add_argument("--json", type=Path, help="append the results to this file")


def run(args: argparse.Namespace) -> int:
    if args.growth:
        return growth(args.growth, args.chunks)
    if args.speed:
        return speed(args.dimensions)
    if args.table:
        return table(args.table)
    if args.mined is None:
        raise SystemExit("name the folder that benchmarks/model/mine.py filled, or --growth, --speed or --table")
    results = []
    for path in sorted(args.mined.glob(f"{args.role}-*.jsonl")):
        language = path.stem.split("-")[1]
        if args.languages and language not in args.languages:
            continue
        pool, questions, answers = load(
            path, language, min(LIMITS.get(language, args.limit), args.limit if args.pool else 10**9)
        )
        if len(questions) < 100:
            continue
        if args.pool and len(pool) > args.pool:
            pool, answers = reduced(pool, answers, args.pool)
        if args.noise:
            noise(language, pool, questions, answers, args)
            continue
        codes, names = [r["c"] for r in pool], [r["n"].rsplit(".", 1)[-1] for r in pool]
        if args.masked:
            codes = [re.sub(rf"\b{re.escape(n)}\b", "f", c) if n else c for c, n in zip(codes, names, strict=True)]
            names = ["f"] * len(names)
        print(
            f"{language}: {len(pool)} functions, {len(questions)} questions{', names masked' if args.masked else ''}",
            flush=True,
        )
        for method in args.methods:
            started = time.process_time()
            for form, ranks in METHODS[method](codes, names, questions, answers, args).items():
                mrr, low, high = interval(ranks)
                row = {"role": args.role, "language": language, "masked": args.masked, "method": method, "form": form,
                       "mrr": round(mrr, 4),
                       "low": round(low, 4), "high": round(high, 4), "recall": round(float((ranks <= 10).mean()), 4),
                       "pool": len(pool), "questions": len(questions)}  # fmt: skip
                results.append(row)
                print(
                    f"  {method:8} {form:14} MRR@10 {mrr:.3f} [{low:.3f}, {high:.3f}]  recall@10 {row['recall']:.3f}",
                    flush=True,
                )
            print(f"  {method:8} {time.process_time() - started:.1f} s of CPU", flush=True)
    if args.json and results:
        with args.json.open("a") as out:
            out.writelines(json.dumps(row) + "\n" for row in results)
    return 0 if results or args.noise else 1


def growth(output: Path, largest: int) -> int:
    """Time `VectorIndex.search` over mapped segments of made-up codes beside a plain read of the same bytes, in turn."""
    from benchmarks.kernel_cases.hamming import compile_stream
    from benchmarks.kernels import draw
    from benchmarks.timing import interleave, machine

    random = np.random.default_rng(5)
    stream = compile_stream()
    codes = random.integers(0, 256, (largest, 64), np.uint8)
    query = EmbeddedQuery.from_vector(random.normal(size=512).astype(np.float32))
    identity = EmbedderIdentity("made up", "random", 512, "ubinary", "1")
    curves: dict[str, list[tuple[float, float]]] = {}
    rows = []
    sizes = [n for n in (100_000, 300_000, 1_000_000, 3_000_000) if n < largest]
    for count in [*sizes, largest]:
        with tempfile.TemporaryDirectory(dir=output.parent) as folder:
            writer = SegmentWriter(Path(folder))
            vectors.build(writer, codes[:count], identity)
            entry = writer.finish()
            index = vectors.VectorIndex(Segment(Path(folder) / entry.file, entry))
            ways = {
                "search, 10 chunks": lambda index=index: index.search(query, 10),
                "search, 400 chunks": lambda index=index: index.search(query, 400),
                "plain read": lambda index=index: stream(index.codes),
            }
            for name, samples in interleave(ways, rounds=7).items():
                microseconds = statistics.median(samples)
                curves.setdefault(name, []).append((count, microseconds))
                rows.append({"chunks": count, "bits": 512, "way": name, "cpu_us": round(microseconds, 1),
                             "GB_per_s": round(64e-3 * count / microseconds, 2)})  # fmt: skip
                print(
                    f"{count:>10,} chunks  {name:20} {microseconds / 1e3:9.3f} ms  {rows[-1]['GB_per_s']:6.2f} GB/s",
                    flush=True,
                )
            del index, ways
    output.write_text(json.dumps({"machine": machine(("numpy",)), "rows": rows}, indent=1) + "\n")
    draw({"Semantic search over mapped codes, 512 bits: chunks": curves}, output.with_suffix(".svg"))
    return 0


def speed(widths: list[int]) -> int:
    """Print the CPU time of the bundled model, with the file in memory, over the chunks of Python's own library."""
    documents = []
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        data = path.read_bytes()
        parsed = parse_source(path.name, "python", data)
        documents += [chunk_document(path.name, data, parsed, chunk) for chunk in parsed.chunks]
    texts, names = (list(column) for column in zip(*documents, strict=True))
    questions = ["where is a password checked", "how are retries limited when the server is busy", "parse a date"]

    def median(action: Callable[[], object], times: int) -> float:
        samples = []
        for _ in range(times):
            started = time.thread_time_ns()
            action()
            samples.append(time.thread_time_ns() - started)
        return statistics.median(samples)

    for width in widths:
        before = resident_kilobytes()
        embedder = bundled.BundledEmbedder(dimensions=width)
        embedder.embed_documents(texts, names)
        if width == widths[0]:  # later ones share its pages
            print(
                f"resident after {len(texts):,} chunks: {(resident_kilobytes() - before) / 1e3:.1f} MB more than before the model"
            )
        load = median(lambda width=width: bundled.BundledEmbedder(dimensions=width), 21) / 1e6
        asked = [median(lambda q=q, e=embedder: e.embed_query(q), 501) / 1e3 for q in questions]
        chunks = median(lambda e=embedder: e.embed_documents(texts, names), 5) / 1e9
        print(
            f"{width:,} bits: load {load:.2f} ms, question {min(asked):.1f} to {max(asked):.1f} us, "
            f"{len(texts) / chunks:,.0f} chunks/s on one core ({len(texts):,} chunks, "
            f"{sum(len(t) for t in texts) / len(texts):,.0f} characters each)",
            flush=True,
        )
    return 0


def resident_kilobytes() -> int:
    """Return the memory of this process that is in RAM, mapped files included, in kB (Linux)."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)[1])


def table(path: Path) -> int:
    """Print stored rows: a block a language, a line a method and form."""
    rows = [json.loads(line) for line in path.open()]
    for key in dict.fromkeys((r["role"], r["language"], r["masked"], r["pool"], r["questions"]) for r in rows):
        role, language, masked, pool, questions = key
        print(f"{language} ({role}): {pool:,} functions, {questions:,} questions{', names masked' if masked else ''}")
        for r in rows:
            if (r["role"], r["language"], r["masked"], r["pool"], r["questions"]) == key:
                print(
                    f"  {r['method']:8} {r['form']:14} MRR@10 {r['mrr']:.3f} [{r['low']:.3f}, {r['high']:.3f}]  recall@10 {r['recall']:.3f}"
                )
    return 0


def noise(language: str, pool: list[dict[str, Any]], questions: list[str], answers: np.ndarray, args: Any) -> None:
    """Print the best cosine for random letters, for random words of other questions, and for real questions."""
    embedder = bundled.BundledEmbedder(args.model, args.dimensions[-1])
    codes = embedder.embed_documents([r["c"] for r in pool], [r["n"] for r in pool])
    random = np.random.default_rng(3)
    words = sorted({w for q in questions for w in words_of(q) if len(w) > 3})
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    kinds = {
        "letters": [
            " ".join("".join(random.choice(letters, random.integers(4, 9))) for _ in range(random.integers(1, 4)))
            for _ in range(400)
        ],
        "words": [" ".join(random.choice(words, random.integers(2, 6))) for _ in range(400)],
        "real": questions,
    }
    print(f"{language}: {len(pool)} functions; quantiles 0.01 0.05 0.5 0.95 0.99 of the best cosine")
    right = []
    for kind, texts in kinds.items():
        best = []
        for i, text in enumerate(texts):
            query = embedder.embed_query(text)
            ids = hamming.topk(codes, query.code[None], min(200, len(codes)))[0][0]
            cosines = hamming.asymmetric(codes, ids, query.vector) / (
                np.linalg.norm(query.vector) * len(query.vector) ** 0.5
            )
            best.append(cosines.max())
            if kind == "real":
                right.extend(cosines[ids == answers[i]])
        print(f"  {kind:8}", np.quantile(best, [0.01, 0.05, 0.5, 0.95, 0.99]).round(3), flush=True)
    print("  right   ", np.quantile(right, [0.01, 0.05, 0.5, 0.95, 0.99]).round(3), flush=True)


def load(path: Path, language: str, limit: int) -> tuple[list[dict[str, Any]], list[str], np.ndarray]:
    """Return the pool, the questions and the row that answers each."""
    sys.path.insert(0, str(MODEL_TOOLS))
    from extract import question

    pool = [json.loads(line) for line in path.open()]
    sentences = [question(r["n"], r["d"]) if r["d"] else "" for r in pool]
    count = Counter(s.lower() for s in sentences)
    usable = [i for i, s in enumerate(sentences) if len(s.split()) >= 4 and len(s) <= 200 and count[s.lower()] == 1]
    usable = np.random.default_rng(7).permutation(usable).tolist()
    kept, by_package = [], Counter()
    for i in usable:
        by_package[pool[i]["p"]] += 1
        if by_package[pool[i]["p"]] <= PER_PACKAGE or language != "python":
            kept.append(i)
    kept = sorted(kept[:limit])
    return pool, [sentences[i] for i in kept], np.array(kept)


def reduced(pool: list[dict[str, Any]], answers: np.ndarray, size: int) -> tuple[list[dict[str, Any]], np.ndarray]:
    """Return the answers and random others, in their order, and where the answers are now."""
    others = np.random.default_rng(11).permutation(np.setdiff1d(np.arange(len(pool)), answers))
    kept = np.sort(np.concatenate([answers, others[: max(size - len(answers), 0)]]))
    return [pool[i] for i in kept], np.searchsorted(kept, answers)


# --- ranks -----------------------------------------------------------------------------------------------------------


def dense_ranks(scores: np.ndarray, answers: np.ndarray) -> np.ndarray:
    own = scores[np.arange(len(answers)), answers][:, None]
    return 1 + (scores > own).sum(1) + ((scores == own).sum(1) - 1) / 2


def interval(ranks: np.ndarray, times: int = 2000) -> tuple[float, float, float]:
    """Return MRR@10 and its 95 % interval from resampling questions."""
    values = np.where(ranks <= 10, 1 / ranks, 0)
    means = values[np.random.default_rng(1).integers(0, len(values), (times, len(values)))].mean(1)
    return float(values.mean()), *(float(x) for x in np.quantile(means, [0.025, 0.975]))


def binary_forms(documents: np.ndarray, queries: np.ndarray, answers: np.ndarray) -> dict[str, np.ndarray]:
    """Return ranks by cosine of floats, by Hamming distance of signs, and by the two stages of the product."""
    unit_d = documents / (np.linalg.norm(documents, axis=1, keepdims=True) + 1e-9)
    forms = {"float": dense_ranks(queries @ unit_d.T, answers)}
    codes = np.packbits(documents > 0, axis=1)
    signs_d, signs_q = (
        np.where(documents > 0, np.float32(1), np.float32(-1)),
        np.where(queries > 0, np.float32(1), np.float32(-1)),
    )
    forms["Hamming"] = dense_ranks(signs_q @ signs_d.T, answers)
    ranks = np.full(len(answers), np.inf)
    for i, (vector, answer) in enumerate(zip(queries, answers, strict=True)):
        query = EmbeddedQuery.from_vector(vector)
        ids = hamming.topk(codes, query.code[None], min(200, len(codes)))[0][0]
        scores = hamming.asymmetric(codes, ids, query.vector)
        own = np.flatnonzero(ids == answer)
        if len(own):
            ranks[i] = 1 + (scores > scores[own[0]]).sum() + ((scores == scores[own[0]]).sum() - 1) / 2
    forms["two-stage"] = ranks
    return forms


# --- methods ---------------------------------------------------------------------------------------------------------


def by_bundled(
    codes: list[str], names: list[str], questions: list[str], answers: np.ndarray, args: argparse.Namespace
) -> dict[str, np.ndarray]:
    found = {}
    for dimensions in args.dimensions:
        embedder = bundled.BundledEmbedder(args.model, dimensions)
        documents = embedder.document_vectors(codes, names)
        forms = binary_forms(documents, np.stack([embedder.embed_query(q).vector for q in questions]), answers)
        found |= {f"{form} {dimensions}": ranks for form, ranks in forms.items()}
    return found


def words_of(text: str) -> list[str]:
    data = text.encode("utf-8", "replace")
    return [data[a:b].decode().lower() for a, b in embedding.subtokens(data, 1 << 14).tolist()]


def counts(texts: list[str], vocabulary: dict[str, int], grow: bool) -> Any:
    import scipy.sparse as sp

    ids: list[int] = []
    values: list[int] = []
    ends = [0]
    for text in texts:
        for word, n in Counter(words_of(text)).items():
            i = vocabulary.setdefault(word, len(vocabulary)) if grow else vocabulary.get(word)
            if i is not None:
                ids.append(i)
                values.append(n)
        ends.append(len(ids))
    return sp.csr_matrix((np.array(values, np.float64), ids, ends), shape=(len(texts), len(vocabulary)))


def by_bm25(
    codes: list[str], names: list[str], questions: list[str], answers: np.ndarray, args: argparse.Namespace
) -> dict[str, np.ndarray]:
    k1, b = 1.2, 0.75
    vocabulary: dict[str, int] = {}
    m = counts(codes, vocabulary, True)
    lengths, df = np.asarray(m.sum(1)).ravel(), np.bincount(m.indices, minlength=m.shape[1])
    idf = np.log(1 + (m.shape[0] - df + 0.5) / (df + 0.5))
    rows = np.repeat(np.arange(m.shape[0]), np.diff(m.indptr))
    m.data = m.data * (k1 + 1) / (m.data + k1 * (1 - b + b * lengths / lengths.mean())[rows]) * idf[m.indices]
    asked = counts([" ".join(w for w in words_of(q) if w not in STOP) for q in questions], vocabulary, False)
    asked.data[:] = 1
    return {"BM25": dense_ranks((asked @ m.T).toarray(), answers)}


def by_lsa(
    codes: list[str], names: list[str], questions: list[str], answers: np.ndarray, args: argparse.Namespace
) -> dict[str, np.ndarray]:
    import scipy.sparse as sp
    from scipy.sparse.linalg import svds

    vocabulary: dict[str, int] = {}
    m = counts(codes, vocabulary, True)
    df = np.bincount(m.indices, minlength=m.shape[1])
    idf = sp.diags_array(np.log((1 + m.shape[0]) / (1 + df)) + 1)

    def weigh(x: Any) -> Any:
        x = x.copy()
        x.data = 1 + np.log(x.data)
        x = (x @ idf).tocsr()
        norms = np.sqrt(np.asarray(x.multiply(x).sum(1)).ravel()) + 1e-9
        return sp.diags_array(1 / norms) @ x

    m, asked = weigh(m).astype(np.float32), weigh(counts(questions, vocabulary, False)).astype(np.float32)
    _, _, vt = svds(m, k=min(512, min(m.shape) - 1), random_state=0)
    rotation = np.linalg.qr(np.random.default_rng(4).normal(size=(vt.shape[0],) * 2))[0].astype(np.float32)
    turn = vt.T @ rotation
    width = turn.shape[1] // 64 * 64
    return binary_forms(
        np.ascontiguousarray((m @ turn)[:, :width]), np.ascontiguousarray((asked @ turn)[:, :width]), answers
    )


def by_minilm(
    codes: list[str], names: list[str], questions: list[str], answers: np.ndarray, args: argparse.Namespace
) -> dict[str, np.ndarray]:
    sys.path.insert(0, str(MODEL_TOOLS))
    from minilm import encode

    return binary_forms(encode(codes, 192), encode(questions, 64), answers)


METHODS: dict[str, Callable[..., dict[str, np.ndarray]]] = {
    "bundled": by_bundled,
    "bm25": by_bm25,
    "lsa": by_lsa,
    "minilm": by_minilm,
}
