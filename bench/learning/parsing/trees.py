"""Trees for tokenised sentences by a trained parser: what compression and transduction learn from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from problems.compression.corpora import Parse
from problems.parsing.model import ParserModel
from problems.text.sentence import ParsedSentence
from problems.text.treebank import Sentence

from ..learners import Decoder
from .parse import parse_sentences


def parser_of(path: Path) -> Parse:
    """A function from tokenised sentences to trees with fine tags and labels, by the model of a file.

    A text that was parsed before is not parsed again: systems often agree on a compression.
    """
    model = ParserModel.read(path)
    decoder = Decoder("dp-mst" if model.order == "1" else "ad3")
    known: dict[tuple[str, ...], ParsedSentence] = {}

    def parse(texts: Sequence[tuple[str, ...]]) -> list[ParsedSentence]:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            found = parse_sentences(model, [Sentence("text", text, (), ()) for text in new], decoder)
            for text, tree in zip(new, found.sentences, strict=True):
                known[text] = ParsedSentence(
                    tree.words, tree.fine, tree.heads, tree.labels
                )  # fine tags as in the papers
        return [known[text] for text in texts]

    return parse
