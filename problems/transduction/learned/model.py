"""A trained transduction model: grammar with learned rule weights, language models, discriminative bigrams, and their balance.

Its file has kind "transduction". The header has the grammar (`grammar_file`), the vocabularies, `settings` (weights of rules and n-grams
for each system), `length` (the line by which lengths are fixed), `normalised` (of language models) and the parser's file; arrays are the hashed weights `rules` and
`bigrams`, and the language models' levels; `bare`, where it is there, has the weights of a training without rules. The reranker's parts, if there are any, stand beside them (`solvers.rerank`).
"""

from __future__ import annotations

from collections import defaultdict
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from ...checks import LARGEST_MAGNITUDE
from ...compression.corpora import ParsedPair
from ...compression.model import LengthRule
from ...errors import InputError, nearest, quoted
from ...language import NgramModel, bigram_table, trigram_table
from ...language.stored import from_arrays, to_arrays
from ...linear_program import Floats
from ...models.hashing import slot
from ...models.model_file import Array, read_model, write_model
from ...models.reading import hashed_weights, reading
from ...storage import Fields
from ...text.sentence import ParsedSentence
from ..dependencies import constituency
from ..derive import derivation_forest
from ..grammar import Feature, Grammar
from ..instance import TransductionInstance
from ..models import Settings
from ..sizes import Scores
from ..trees import Tree, heads_of
from .bigrams import HashedDiscriminative
from .grammar_file import from_plain, to_plain

KIND = "transduction"
SYSTEMS: dict[str, Scores] = {  # the n-gram scores that each system decodes with
    "bigram": "bigram",
    "trigram": "trigram",
    "discriminative": "discriminative",
    "rules alone": "bigram",
    "discriminative alone": "discriminative",
}
STRONG, UNTRAINED = "trigram, strong", "rules alone, untrained"
BARE, BARE_UNTRAINED = "no rules", "no rules, untrained"
VARIANTS: dict[str, Scores] = {STRONG: "trigram", UNTRAINED: "bigram", BARE: "bigram", BARE_UNTRAINED: "bigram"}
"""For comparison: trigrams that count far more; log-probabilities alone; a grammar without rules, trained and not."""
LANGUAGE_MODELS = ("bigram", "trigram")


class HashedWeights(dict[Feature, float]):
    """Learned weights by feature, as a grammar wants them; a feature's place is a hash of its text."""

    def __init__(self, weights: Floats, bits: int) -> None:
        super().__init__()
        self.weights, self.bits = weights, bits

    def __bool__(self) -> bool:
        return True

    def get(self, feature: Feature, default: Any = 0.0) -> float:
        return float(self.weights[feature_slot(feature, self.bits)])


@lru_cache(maxsize=1 << 18)
def feature_slot(feature: Feature, bits: int) -> int:
    return slot(repr(feature), bits)


def tree_of(sentence: ParsedSentence, name: str = "the sentence") -> Tree:
    """The constituency tree that grammars are made from."""
    return constituency(sentence.words, sentence.tags, sentence.heads, sentence.labels, name, marked=True, binary=True)


def without_rules(grammar: Grammar) -> Grammar:
    """The same fallback, without learned weights: every child is kept or deleted by itself."""
    bare = copy(grammar)
    bare.rules, bare._totals, bare.learnt = defaultdict(list), {}, {}
    return bare


def target_tree_of(pair: ParsedPair) -> Tree:
    """The constituency tree of a compression's own parse. Words that are phrases in the source are phrases here too."""
    sentence, place = pair.sentence, {word: number for number, word in enumerate((0, *pair.kept))}
    words, tags = ([texts[word - 1] for word in pair.kept] for texts in (sentence.words, sentence.tags))
    heads, above = [place[head] for head in pair.heads], set(sentence.heads)
    phrasal = {place[word] for word in pair.kept if word in above}
    return constituency(words, tags, heads, pair.labels, pair.name, marked=True, binary=True, phrasal=phrasal)


@dataclass(eq=False)
class TransductionModel:
    grammar: Grammar
    bits: int
    rules: Floats  # learned weights of rules and of kept and deleted constituents
    bigrams: Floats  # of the discriminative model
    models: dict[str, NgramModel]  # "bigram" and "trigram"
    rule: LengthRule
    settings: dict[str, Settings] = field(default_factory=dict)
    parser: str = ""
    parser_hash: str = ""
    normalised: bool = False  # do words' own log-probabilities not count in the scores of language models?
    extra_header: dict[str, Any] = field(default_factory=dict)  # the reranker's
    extra_arrays: dict[str, Array] = field(default_factory=dict)
    bare: Floats | None = None  # learned weights of a grammar without rules

    def __post_init__(self) -> None:
        self.grammar.learnt = HashedWeights(self.rules, self.bits)

    @cached_property
    def _grammars(self) -> dict[str, Grammar]:
        """Those of variants."""
        bare = without_rules(self.grammar)
        trained = without_rules(self.grammar)
        trained.learnt = {} if self.bare is None else HashedWeights(self.bare, self.bits)
        untrained = copy(self.grammar)
        untrained.learnt = {}
        return {UNTRAINED: untrained, BARE: trained, BARE_UNTRAINED: bare}

    def ngram_scores(self, tree: Tree, scores: Scores) -> Floats:
        if scores == "discriminative":
            model = HashedDiscriminative(self.bits, self.bigrams)
            return model.table(model.features(tree))
        language, table = self.models[scores], trigram_table if scores == "trigram" else bigram_table
        return table(language, language.spelt(tree.words()), self.normalised)

    def instance(
        self,
        sentence: ParsedSentence,
        name: str,
        system: str,
        length: int | None,
        gold: tuple[int, ...] | None = None,
    ) -> TransductionInstance:
        """A sentence to compress; `length` None leaves the number of words to the system's reward."""
        if system not in self.settings:
            raise InputError(f"unknown system {system!r} of the model: {nearest(system, self.settings)}")
        tree, settings, scores = tree_of(sentence, name), self.settings[system], (SYSTEMS | VARIANTS)[system]
        forest, rules = derivation_forest(self._grammars.get(system, self.grammar), tree, name)
        ngrams = self.ngram_scores(tree, scores)
        return TransductionInstance(
            name=name,
            words=sentence.words,
            forest=forest,
            bigram_scores=None if scores == "trigram" else ngrams,
            trigram_scores=ngrams if scores == "trigram" else None,
            reward=settings.reward,
            length=length,
            rule_weight=settings.rule_weight,
            ngram_weight=settings.ngram_weight,
            edge_rules=rules,
            source_tree=str(tree),
            source_heads=heads_of(tree),
            gold_kept=gold,
        )

    def write(self, path: str | Path) -> None:
        arrays: dict[str, Array] = {"rules": self.rules, "bigrams": self.bigrams, **self.extra_arrays}
        arrays |= {} if self.bare is None else {"bare": self.bare}
        for name, model in self.models.items():
            arrays |= to_arrays(name, model)
        header = {
            "bits": self.bits,
            "grammar": to_plain(self.grammar),
            "vocabularies": {name: list(model.vocabulary) for name, model in self.models.items()},
            "settings": {name: list(values) for name, values in self.settings.items()},
            "length": [self.rule.intercept, self.rule.slope],
            "parser": self.parser,
            "parser_hash": self.parser_hash,
            "normalised": self.normalised,
            "extra": self.extra_header,
        }
        write_model(path, KIND, header, arrays)

    @classmethod
    def read(cls, path: str | Path) -> TransductionModel:
        header, arrays = read_model(path, KIND)
        with reading(path, "a transduction model"):
            given = Fields(header)
            bits = given.integer("bits", 0)
            models = {name: from_arrays(name, words, arrays) for name, words in header["vocabularies"].items()}
            if set(models) != set(LANGUAGE_MODELS):
                raise InputError(f"field 'vocabularies' must have the models {', '.join(LANGUAGE_MODELS)}.")
            own = {"rules", "bigrams", "bare", *models}
            return cls(
                from_plain(header["grammar"]),
                bits,
                hashed_weights(arrays, "rules", bits),
                hashed_weights(arrays, "bigrams", bits),
                models,
                LengthRule.of(given),
                {name: _settings(name, header["settings"]) for name in header["settings"]},
                given.text("parser"),
                given.text("parser_hash"),
                header.get("normalised", False) is True,
                dict(header["extra"]),
                {name: array for name, array in arrays.items() if name.partition(".")[0] not in own},
                hashed_weights(arrays, "bare", bits) if "bare" in arrays else None,
            )


def _settings(system: str, documents: dict[str, Any]) -> Settings:
    found = Settings(*Fields(documents, "settings").numbers(system))
    if system not in SYSTEMS | VARIANTS or max(map(abs, found)) > LARGEST_MAGNITUDE:
        raise InputError(f"field 'settings' has no such system, or numbers beyond use: {quoted(system)}.")
    return found
