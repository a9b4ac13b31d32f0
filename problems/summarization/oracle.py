"""What the best possible summary looks like: problems whose optimum covers as many reference bigrams as can be.

A reference bigram counts once per reference that has it. Deleting an arc costs a little, far less than a bigram in all, so that the
solver has no reason to delete at random. Afterwards a sentence that adds nothing is taken out (`without_idle`), and so is every
deletable phrase that adds nothing (`tightened`): what no reference has is what a summary can do without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..errors import InputError
from ..extraction.instance import Concept as ExtractionConcept
from ..extraction.instance import Extract, ExtractionInstance
from ..text.sentence import ParsedSentence
from ..text.splitting import tokens_of
from .blueprint import Blueprint
from .features import bigrams
from .instance import Concept, Sentence, SummarizationInstance, Summary, objective
from .words import is_word

DELETION_COST = 1e-3


def reference_bigrams(references: Sequence[Sequence[str]]) -> Counter[str]:
    """In how many references each stemmed bigram occurs; pairs of function words do not count.

    Words with a hyphen are read both as one word and as two: tokenisers of documents do the one or the other.
    """
    counts: Counter[str] = Counter()
    for reference in references:
        found: set[str] = set()
        for line in reference:
            for text in {line, line.replace("-", " ")}:
                words = tuple(token for token in tokens_of(text) if is_word(token))
                found.update(bigrams(ParsedSentence(words, (), (), ())))
        counts.update(found - {""})
    return counts


def compressive_oracle(made: Blueprint) -> SummarizationInstance:
    """The compressive problem of a topic with the references' bigrams as concepts."""
    worth = _worth(made)
    tokens: dict[str, list[tuple[int, int, int]]] = {}
    sentences = []
    for number, sentence in enumerate(made.compressive.sentences):
        costs = (-DELETION_COST,) * len(sentence)
        sentences.append(
            Sentence(sentence.heads, costs, sentence.undeletable, sentence.words, sentence.tags, sentence.labels)
        )
        for first, bigram in enumerate(_bigrams(sentence), 1):
            if bigram in worth:
                tokens.setdefault(bigram, []).append((number, first, first + 1))
    problem = made.compressive
    concepts = tuple(Concept(bigram, float(worth[bigram]), tuple(where)) for bigram, where in tokens.items())
    return SummarizationInstance(
        problem.name, tuple(sentences), concepts, problem.budget, problem.max_sentences, problem.references
    )


def extractive_oracle(made: Blueprint) -> ExtractionInstance:
    """The extractive problem of a topic with the references' bigrams as concepts."""
    worth = _worth(made)
    where: dict[str, list[int]] = {}
    for number, sentence in enumerate(made.compressive.sentences):
        for bigram in dict.fromkeys(_bigrams(sentence)):
            if bigram in worth:
                where.setdefault(bigram, []).append(number)
    problem = made.extractive
    concepts = tuple(ExtractionConcept(bigram, float(worth[bigram]), tuple(found)) for bigram, found in where.items())
    return ExtractionInstance(
        problem.name, problem.lengths, concepts, problem.budget, problem.texts, problem.references
    )


def without_idle(problem: SummarizationInstance, summary: Summary) -> Summary:
    """The summary without sentences whose removal loses no bigram, from the last to the first."""
    for entry in reversed(summary):
        shorter = tuple(other for other in summary if other is not entry)
        if objective(problem, shorter) >= objective(problem, summary):
            summary = shorter
    return summary


def tightened(problem: SummarizationInstance, summary: Summary) -> Summary:
    """The summary without phrases whose deletion loses no bigram, from the largest to the smallest of a sentence."""
    kept = {index: set(words) for index, words in summary}
    tokens: dict[int, list[tuple[int, int, int]]] = {index: [] for index in kept}  # concept, first and last word
    covered: Counter[int] = Counter()
    for number, concept in enumerate(problem.concepts):
        for index, first, last in concept.tokens:
            if index in kept and {first, last} <= kept[index]:
                tokens[index].append((number, first, last))
                covered[number] += 1
    for index, words in kept.items():
        sentence = problem.sentences[index]
        for word in sentence.preorder[1:]:
            if word not in words or sentence.undeletable[word - 1]:
                continue
            phrase = _below(sentence, word) & words
            lost = Counter(number for number, first, last in tokens[index] if first in phrase or last in phrase)
            if all(covered[number] > count for number, count in lost.items()):
                words -= phrase
                covered -= lost
                tokens[index] = [each for each in tokens[index] if not {each[1], each[2]} & phrase]
    return tuple((index, tuple(sorted(words))) for index, words in kept.items())


def _below(sentence: Sentence, word: int) -> set[int]:
    """A word and all that hangs from it."""
    found, stack = set(), [word]
    while stack:
        found.add(stack[-1])
        stack.extend(sentence.children[stack.pop()])
    return found


def extract_without_idle(problem: ExtractionInstance, extract: Extract) -> Extract:
    """The same for an extract."""
    from ..extraction.instance import objective as worth

    for entry in reversed(extract):
        shorter = tuple(other for other in extract if other != entry)
        if worth(problem, shorter) >= worth(problem, extract):
            extract = shorter
    return extract


def _worth(made: Blueprint) -> Counter[str]:
    if not made.references:
        raise InputError(f"{made.name}: there are no reference summaries; training needs at least one per topic.")
    return reference_bigrams(made.references)


def _bigrams(sentence: Sentence) -> list[str]:
    return bigrams(ParsedSentence(sentence.words, (), (), ()))
