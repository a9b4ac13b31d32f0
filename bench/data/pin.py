"""`python -m bench.data.pin FOLDER`: write files.csv, the sizes and checksums of the catalogue, from copies of the corpora."""

from __future__ import annotations

import csv
import gzip
import hashlib
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from problems.files import replacing

from .catalogue import FIELDS, HERE, HOMES

PATTERNS = {
    "parsing": ("*-ud-*.conllu", "LICENSE.txt", "README.*"),
    "google_eval": ("sentence_en.txt", "compression_en.txt"),
    "turkcorpus": ("*.tok.norm", "*.tok.turk.*"),
    "multiling2011": ("SourceTexts/*.english", "Model_Summaries/English/*.250"),
    "opinosis": ("topics/*.txt.data", "summaries-gold/*/*.gold"),
}
"""What is copied from the origin, by corpus or task: what readers need, and the licence."""
COMPRESSED = {"en_ewt": "en_ewt-ud-train.conllu"}
"""Kept gzipped in our copies; the origin has it plain."""
ELSEWHERE = {("nl_lassysmall_v1.4", "LICENSE.txt"), ("nl_lassysmall_v1.4", "README.txt")}
"""Copies of another commit than the corpus's."""
RENAMED = {"Model_Summaries/": "Model Summaries/"}


def rows(folder: Path) -> Iterator[tuple[str, str, int, str, str]]:
    """The lines of files.csv, in the order of the catalogue."""
    described: dict[str, dict[str, Any]] = tomllib.loads((HERE / "catalogue.toml").read_text(encoding="utf-8"))
    for name, facts in described.items():
        home = folder / HOMES[facts["task"]] / name
        found = {path for pattern in PATTERNS.get(name) or PATTERNS[facts["task"]] for path in home.glob(pattern)}
        contents = {path.relative_to(home).as_posix(): path.read_bytes() for path in found}
        if name in COMPRESSED:
            contents[COMPRESSED[name]] = gzip.decompress((home / f"{COMPRESSED[name]}.gz").read_bytes())
        for path, content in sorted(contents.items()):
            if (name, path) not in ELSEWHERE:
                source = next((path.replace(ours, theirs) for ours, theirs in RENAMED.items() if ours in path), "")
                yield name, path, len(content), hashlib.sha256(content).hexdigest(), source


def write(folder: Path, path: Path = HERE / "files.csv") -> None:
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        writer.writerows(rows(folder))


if __name__ == "__main__":
    write(Path(sys.argv[1]))
