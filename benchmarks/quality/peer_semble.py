"""semble as a peer: its own code, with a stand-in for its model.

semble's model (potion-code-16M) lies on a model hub that the benchmarks may not use.  A static model that a package index carries stands in
for it: the 256-dimensional token vectors and the tokenizer of the source distribution of wordllama 0.3.0, in the form of semble's own loader.
The figures are therefore those of semble's chunking, BM25, fusion and reranking with *another* model, and are named so; its published figure
is printed beside them.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

__all__ = ["NAME", "Chunk", "open_semble", "stand_in_model"]

NAME = "semble 0.7.0 with stand-in model"
STAND_IN = "wordllama==0.3.0"
WEIGHTS = "wordllama/weights/l2_supercat_256.safetensors"
TOKENIZER = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"


class Chunk(NamedTuple):
    """One answer: lines of a file and their text."""

    path: str
    start_line: int
    end_line: int
    text: str


def stand_in_model(folder: Path) -> Path:
    """Make the stand-in model in ``folder`` if it is not there, and return its path.

    Raises
    ------
    SystemExit
        The source distribution cannot be downloaded, or the extra ``bench`` is missing.
    """
    if (folder / "model.safetensors").exists():
        return folder
    try:
        from model2vec import StaticModel
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer
    except ImportError as error:
        raise SystemExit(f"the peer needs the extra bench: {error}") from error
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "wordllama", STAND_IN]
    archive = folder / "wordllama-0.3.0.tar.gz"
    if not archive.exists():
        done = subprocess.run([*command, "-d", "."], cwd=folder, capture_output=True, text=True, check=False)
        if not archive.exists():
            raise SystemExit(f"{STAND_IN} cannot be downloaded: {done.stderr.strip()[-300:]}")
    parts = {}
    with tarfile.open(archive) as tar:
        for member in (WEIGHTS, TOKENIZER):
            source = tar.extractfile(f"wordllama-0.3.0/{member}")
            parts[member] = folder / Path(member).name
            parts[member].write_bytes(source.read() if source else b"")
    (vectors,) = load_file(parts[WEIGHTS]).values()
    StaticModel(vectors, Tokenizer.from_file(str(parts[TOKENIZER])), normalize=True).save_pretrained(folder)
    return folder


def open_semble(root: Path, model: Path) -> Callable[[str], list[Chunk]]:
    """Index a folder and return a function that answers a question with its ten best chunks.

    Parameters
    ----------
    root : Path
        The folder to index; paths in the answers are relative to it.
    model : Path
        What ``stand_in_model`` returned.
    """
    from semble import SembleIndex

    index = SembleIndex.from_path(root, model_path=str(model))

    def ask(query: str) -> list[Chunk]:
        found = (result.chunk for result in index.search(query, top_k=10))
        return [Chunk(chunk.file_path, chunk.start_line, chunk.end_line, chunk.content) for chunk in found]

    return ask
