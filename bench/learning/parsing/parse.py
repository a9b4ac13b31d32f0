"""Parsing with a trained model: sentences to labelled trees, which compression and transduction learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from problems.compression.corpora import Parse
from problems.errors import InputError
from problems.metrics.attachment import count_attachment, total
from problems.parsing.instance import Order
from problems.parsing.model import ParserModel
from problems.text.sentence import ParsedSentence
from problems.text.treebank import NO_TAG, Sentence

from ..learners import Decoder
from ..loop import SILENT, Watcher
from .learners import decoded_tree


@dataclass
class Parsed:
    """Labelled trees, and counts about the candidate arcs."""

    sentences: list[Sentence] = field(default_factory=list)
    arcs: int = 0
    gold_arcs: int = 0  # that were among the candidates

    def measures(self, gold: Sequence[Sentence]) -> dict[str, float | int]:
        """Attachment scores in per cent, of all words; LAS with whole labels, `LAS-universal` without their subtypes."""
        counts = total(
            count_attachment(one.heads, found.heads, one.words) for one, found in zip(gold, self.sentences, strict=True)
        )
        labelled = [
            (one == other, one.partition(":")[0] == other.partition(":")[0])
            for true, found in zip(gold, self.sentences, strict=True)
            for one, other, right, head in zip(true.labels, found.labels, true.heads, found.heads, strict=True)
            if right == head
        ]
        tagged = [
            one == other
            for true, found in zip(gold, self.sentences, strict=True)
            for one, other in zip(true.coarse, found.coarse, strict=True)
            if one != NO_TAG
        ]
        scores = {name: 100.0 * value for name, value in counts.scores().items()}
        whole, universal = (100.0 * sum(pair[k] for pair in labelled) / counts.words for k in (0, 1))
        return {
            "sentences": len(gold),
            "tokens": counts.words,
            "UAS": scores["UAS"],
            "LAS": whole,
            "LAS-universal": universal,
            "UAS-unicode": scores.get("UAS-unicode", float("nan")),
            "exact match": scores["exact match"],
            "non-projective recall": scores.get("non-projective recall", float("nan")),
            "tag accuracy": 100.0 * float(np.mean(tagged)) if tagged else float("nan"),
            "oracle": 100.0 * self.gold_arcs / counts.words,
            "heads per word": self.arcs / counts.words,
        }


def parse_sentences(
    model: ParserModel,
    sentences: Sequence[Sentence],
    decoder: Decoder,
    order: Order | None = None,
    watcher: Watcher = SILENT,
) -> Parsed:
    """Parse sentences one by one; tags that are missing are predicted. `order` may be smaller than the model's."""
    order = model.known_order(order or None)
    if order != model.order:
        watcher.say(f"The model's weights were learned for order {model.order} and may be poor ones for order {order}.")
    if sentences and model.uses_morphology and not any(sentence.has_morphology for sentence in sentences):
        raise InputError(
            "the parser has features of LEMMA and FEATS, and no sentence has either: parse CoNLL-U with these columns, "
            "or train a parser without morphology."
        )
    parsed = Parsed()
    watcher.epoch(1, 1, len(sentences))
    for sentence in sentences:
        parsed.sentences.append(_parse(model, sentence, decoder, order, parsed))
        watcher.example()
    return parsed


def _parse(model: ParserModel, sentence: Sentence, decoder: Decoder, order: Order, parsed: Parsed) -> Sentence:
    words = model.prepared(sentence)
    heads, modifiers = model.arcs(words, order)
    instance = model.scorer.instance(words, heads, modifiers, order, model.single_root)
    tree = decoded_tree(decoder, instance)
    labels = model.labeler.label(words, tree)
    parsed.arcs += len(heads)
    if sentence.heads:
        parsed.gold_arcs += int((heads == np.asarray(sentence.heads)[modifiers - 1]).sum())
    return replace(words.sentence, heads=tuple(tree.tolist()), labels=labels)


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
                known[text] = ParsedSentence(tree.words, tree.fine, tree.heads, tree.labels)
        return [known[text] for text in texts]

    return parse
