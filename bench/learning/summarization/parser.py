"""Our trained parser as the summarizer's: plain sentences to trees with universal tags and labels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from problems.compression.corpora import file_hash
from problems.errors import InputError
from problems.summarization.corpora import Parser
from problems.text.sentence import ParsedSentence

if TYPE_CHECKING:
    from problems.parsing.model import ParserModel


class LearnedParser:
    """A parser model with its default decoder. Sentences are tokenised and tagged by the model's own means."""

    def __init__(self, model: ParserModel, fingerprint: str) -> None:
        self.model = model
        self.fingerprint = fingerprint

    def tokens(self, sentence: str) -> Sequence[str]:
        """The tokens of one sentence, also where the tokeniser would make several sentences of it."""
        from problems.text.raw import split_text

        if not sentence.strip():
            return ()
        return tuple(word for part in split_text(sentence) for word in part.words)

    def parse(self, sentences: Sequence[str]) -> list[ParsedSentence]:
        from problems.text.treebank import Sentence

        from ..parsing.learners import parser_decoder
        from ..parsing.parse import parse_sentences

        listed = [Sentence(str(number), tuple(self.tokens(text)), (), ()) for number, text in enumerate(sentences)]
        decoder = parser_decoder(self.model.order)
        parsed = parse_sentences(self.model, [one for one in listed if one.words], decoder)
        found = {one.name: ParsedSentence(one.words, one.coarse, one.heads, one.labels) for one in parsed.sentences}
        return [found.get(one.name, ParsedSentence((), (), (), ())) for one in listed]


def read_parser(path: str) -> Parser:
    """The parser of a model file; its fingerprint is the file's content."""
    if not path:
        raise InputError(
            "real text needs a parser: train one (dualbench train parsing) and name its file, parser=FILE."
        )
    from problems.parsing.model import ParserModel

    model = ParserModel.read(path)
    return LearnedParser(model, file_hash(Path(path))[:32])
