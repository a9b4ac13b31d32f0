"""Corpora by convention: files of pairs, folders of splits, topics in three layouts, and what a model remembers of its training."""

from __future__ import annotations

import json
from pathlib import Path

from fuzz_mutations import ARCHIVE, JSON, TEXT
from fuzzing import Family

from bench.applications.parse import read_input
from bench.applications.summarize import read_folder
from problems.compression.pairs import Reading, one_by_one, read_pairs
from problems.models.model_file import read_model, remember, remembered, write_model
from problems.text.splits import Dealing
from problems.text.topic_folders import TopicReading, common_limit, own_topics
from problems.text.treebank import generated_treebank

TEXT_OF = "The old bank closed early on Monday. Mr. Lee said that it was 3.5 % down.\n\nNobody came, although 12 did.\n"


def pair_lines(folder: Path) -> list[Path]:
    found = []
    for seed, form in ((3, "raw"), (4, "tokens")):
        rows = []
        for number, sentence in enumerate(generated_treebank(seed, 6)):
            words = list(sentence.words)
            texts = (
                [words, words[::2], words[:2]] if form == "tokens" else [" ".join(each) for each in (words, words[1:3])]
            )
            rows.append({"id": f"s{number}", "source": texts[0], "compressions": texts[1:]})
        found.append(folder / f"{form}.jsonl")
        found[-1].write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return found


def use_pair_lines(path: Path) -> None:
    for tokenised in (False, True):
        found = read_pairs(str(path), path.parent, "test", None, Reading(tokenised, Dealing(0.5)))
        for pair in one_by_one(found.pairs):
            assert 0 < len(pair.kept) <= len(pair.words)
            assert isinstance(pair.hash, int)
        for sentence in read_input(path, tokenised=tokenised):
            assert sentence.words


def pair_folder(folder: Path) -> list[Path]:
    home = folder / "pairs"
    home.mkdir()
    for seed, split in enumerate(("train", "dev", "test")):
        rows = [(s.words, s.words[::2], s.words[:2]) for s in generated_treebank(20 + seed, 4)]
        text = "".join("\t".join(" ".join(part) for part in row) + "\n" for row in rows)
        (home / f"{split}.tsv").write_text(text, encoding="utf-8")
    return [home]


def use_pair_folder(path: Path) -> None:
    for split in ("train", "dev", "test"):
        read_pairs(str(path), path, split, reading=Reading(tokenised=True))


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def topic_folders(folder: Path) -> list[Path]:
    plain, tac, multiling = (folder / name for name in ("plain", "tac", "multiling"))
    put(plain / "words.txt", "30\n")
    for topic in ("one", "two"):
        put(plain / topic / "documents" / "a.txt", f"{topic} {TEXT_OF}")
        put(plain / topic / "references" / "a.txt", TEXT_OF)
    marked = f"<DOC>\n<DOCNO> A.1 </DOCNO>\n<TEXT>\n<P>\n{TEXT_OF}</P>\n<P>\nA &AMP; B.\n</P>\n</TEXT>\n</DOC>\n"
    put(tac / "docs" / "D0801A" / "D0801A-A" / "A.1", marked)
    put(tac / "models" / "D0801-A.M.100.A.C", f"<SUM DOCSET='D0801'>\n{TEXT_OF}</SUM>\n")
    put(multiling / "SourceTexts" / "M0000.english", f"A headline\n{TEXT_OF}")
    put(multiling / "Model_Summaries" / "English" / "M000.A.250", TEXT_OF)
    return [plain, tac, multiling]


def use_topic_folder(path: Path) -> None:
    for reading in (TopicReading(), TopicReading(lines=True)):
        found = list(own_topics(path, "test", reading))
        assert common_limit(found) >= 1
        assert all(topic.hashes() for topic in found)
    if path.name == "tac":
        read_folder(path / "docs" / "D0801A" / "D0801A-A")


def remembering(folder: Path) -> list[Path]:
    path = folder / "seen.model"
    write_model(path, "anything", {}, {})
    remember(path, range(1, 2**63, 2**58))
    return [path]


def use_remembering(path: Path) -> None:
    assert all(isinstance(each, int) for each in remembered(path))
    read_model(path, "anything")


FAMILIES = [
    Family("pair-lines", pair_lines, use_pair_lines, JSON),
    Family("pair-folder", pair_folder, use_pair_folder, TEXT),
    Family("topic-folders", topic_folders, use_topic_folder, TEXT),
    Family("remembered", remembering, use_remembering, ARCHIVE),
]
