"""Treebanks, language models, sentence pairs, topics and plain text."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from pathlib import Path

from fuzz_mutations import JSON, TEXT
from fuzzing import Family

from bench.applications.parse import read_input, to_conllu
from bench.applications.summarize import read_folder
from bench.learning.parsing.data import read_sentences
from problems import get_task
from problems.compression.corpora import _plain, generated_pairs
from problems.compression.corpora import _read as read_cached_pairs
from problems.compression.pairs import read_pairs
from problems.errors import InputError
from problems.language import estimate, read_arpa, write_arpa
from problems.parsing.corpora import read_corpus, stand_in
from problems.parsing.trees import unreachable
from problems.summarization.compression_corpus import google_pairs
from problems.summarization.corpora import Unparsed
from problems.summarization.corpora import _read as read_cached_trees
from problems.text.conll import read_treebank, write_treebank
from problems.text.spacing import restored, surface_tokens, text_line
from problems.text.topics import BUDGETS, DOCUMENTS, REFERENCES, TOPICS
from problems.text.treebank import generated_treebank

TEXT_OF = "The old bank closed early on Monday. Mr. Lee said that it was 3.5 % down.\nNobody came, although 12 did.\n"


def treebanks(folder: Path) -> list[Path]:
    plain = to_conllu(generated_treebank(1, 4))
    conllu = plain.replace("\n1\t", "\n1-2\tx\t_\t_\t_\t_\t_\t_\t_\t_\n1\t", 1)
    conllx = "\n".join(line for line in plain.split("\n") if not line.startswith("#"))
    for name, data in (
        ("made.conllu", conllu.encode()),
        ("made.conll", conllx.encode()),
        ("latin.conll", conllx.replace("the", "thé").encode("latin-1")),
        ("made.conllu.gz", gzip.compress(conllu.encode(), mtime=0)),
    ):
        (folder / name).write_bytes(data)
    return [folder / name for name in ("made.conllu", "made.conll", "latin.conll", "made.conllu.gz")]


def use_treebank(path: Path) -> None:
    found = list(read_treebank(path))
    write_treebank(path.with_name("again.conllu"), found, [sentence.heads for sentence in found])
    read_sentences(str(path), "", "train", None, 1)
    for sentence in read_treebank(path, blind=True):
        text_line(surface_tokens(sentence.lines))
    task = get_task("parsing")
    for sentence in found[:3]:
        if not unreachable(sentence.heads) and len(sentence.words) < 60:
            task.graph(stand_in(sentence))


def treebank_folder(folder: Path) -> list[Path]:
    home = folder / "data" / "treebanks" / "en_ewt"
    home.mkdir(parents=True)
    (home / "en_ewt-ud-test.conllu").write_text(to_conllu(generated_treebank(2, 3)), encoding="utf-8")
    return [folder / "data"]


def use_treebank_folder(path: Path) -> None:
    for instance in read_corpus("en_ewt", path):
        assert instance.number_of_words


def arpas(folder: Path) -> list[Path]:
    text = [sentence.words for sentence in generated_treebank(1, 6)]
    for order in (1, 2, 3):
        write_arpa(estimate(text, order), folder / f"{order}.arpa")
    write_arpa(estimate(text, 3), folder / "3.arpa.gz")
    return sorted(folder.iterdir())


def use_arpa(path: Path) -> None:
    model = read_arpa(path)
    model.sentence(["the", "bank", "closed"])
    write_arpa(model, path.with_name("again.arpa"))


def pairs(folder: Path) -> list[Path]:
    rows = [(s.words, s.words[::2]) for s in generated_treebank(3, 8)]
    (folder / "pairs.tsv").write_text("".join(f"{' '.join(a)}\t{' '.join(b)}\n" for a, b in rows), encoding="utf-8")
    return [folder / "pairs.tsv"]


def use_pairs(path: Path) -> None:
    for pair in read_pairs(str(path), path.parent).pairs:
        assert 0 < len(pair.kept) <= len(pair.words)


def pair_corpora(folder: Path) -> list[Path]:
    rows = [(" ".join(s.words), " ".join(s.words[1:4])) for s in generated_treebank(3, 5)]
    google = folder / "data" / "compression" / "google_eval"
    google.mkdir(parents=True)
    filler = [("a b c", "a c")] * 1000
    for name, column in (("sentence_en.txt", 0), ("compression_en.txt", 1)):
        text = "\n".join(row[column] for row in filler + rows) + "\n"
        (google / name).write_text(text, encoding="utf-8")
    turk = folder / "data" / "compression" / "turkcorpus"
    turk.mkdir()
    (turk / "test.8turkers.tok.norm").write_text("\n".join(row[0] for row in rows) + "\n", encoding="utf-8")
    for rewriter in range(8):
        (turk / f"test.8turkers.tok.turk.{rewriter}").write_text("\n".join(row[1] for row in rows) + "\n")
    return [folder / "data"]


def use_pair_corpora(path: Path) -> None:
    refused = None
    for use in (
        lambda: read_pairs("google_eval", path, "train"),
        lambda: read_pairs("turkcorpus", path, "test"),
        lambda: google_pairs(path, Unparsed(), 10),
    ):
        try:
            use()
        except InputError as error:
            refused = error
    if refused is not None:
        raise refused


def topics(folder: Path) -> list[Path]:
    home = folder / "data" / "summarization"
    multiling, opinosis = home / "multiling2011", home / "opinosis"
    for topic in TOPICS[:2]:
        for document in DOCUMENTS:
            path = multiling / "SourceTexts" / f"M{topic:03d}{document}.english"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"A headline\nJanuary 8, 2005\n{TEXT_OF}", encoding="utf-8")
        for author in REFERENCES:
            path = multiling / "Model_Summaries" / "English" / f"M{topic:03d}.{author}.250"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(TEXT_OF, encoding="utf-8")
    for topic in ("food", "rooms"):
        path = opinosis / "topics" / f"{topic}.txt.data"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEXT_OF, encoding="utf-8")
        gold = opinosis / "summaries-gold" / topic / f"{topic}.1.gold"
        gold.parent.mkdir(parents=True)
        gold.write_text(TEXT_OF, encoding="utf-8")
    return [folder / "data"]


def use_topics(path: Path) -> None:
    for name in BUDGETS:
        for instance in get_task("extraction").read_corpus(name, path, limit=2):
            get_task("extraction").graph(instance)


def parsed_caches(folder: Path) -> list[Path]:
    """Parses in the cache folder, in the forms of compression and of summarization."""
    pairs = generated_pairs(range(3))
    rows = {"pairs": list(map(_plain, pairs)), "trees": [list(vars(pair.sentence).values()) for pair in pairs]}
    for name, content in rows.items():
        (folder / f"{name}.json.gz").write_bytes(gzip.compress(json.dumps(content).encode(), mtime=0))
        (folder / f"{name}.json").write_text(json.dumps(content))
    assert read_cached_trees(folder / "trees.json.gz", 3) is not None
    assert read_cached_pairs(folder / "pairs.json") == pairs
    return sorted(folder.iterdir())


def use_parsed_cache(path: Path) -> None:
    if path.name.startswith("trees"):
        read_cached_trees(path, 3)
        return
    with suppress(ValueError, TypeError, RecursionError):  # what `parsed_before` takes for a cache that is not there
        read_cached_pairs(path)


def plain_text(folder: Path) -> list[Path]:
    home = folder / "documents"
    home.mkdir()
    for name in ("one.txt", "two.txt"):
        (home / name).write_text(TEXT_OF, encoding="utf-8")
    return [home]


def use_plain_text(path: Path) -> None:
    read_folder(path)
    for name in ("one.txt", "two.txt"):
        found = read_input(path / name)
        text = (path / name).read_bytes().decode("utf-8-sig")
        assert restored(surface_tokens(sentence.lines) for sentence in found) == text


FAMILIES = [
    Family("conll", treebanks, use_treebank, TEXT),
    Family("treebank-folder", treebank_folder, use_treebank_folder, TEXT),
    Family("arpa", arpas, use_arpa, TEXT),
    Family("pairs", pairs, use_pairs, TEXT),
    Family("pair-corpora", pair_corpora, use_pair_corpora, TEXT),
    Family("topics", topics, use_topics, TEXT),
    Family("parsed-cache", parsed_caches, use_parsed_cache, JSON),
    Family("plain-text", plain_text, use_plain_text, TEXT),
]
