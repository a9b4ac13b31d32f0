"""Broken copies of the template of a task: each has one piece of its text changed, or a method more."""

from __future__ import annotations

from pathlib import Path

from bench.conformance.templates import write_template

CHANGES = {
    "bonus negated in the objective": ("for item in chosen) + bonus", "for item in chosen) - bonus"),
    "no bonus in the objective": ("for item in chosen) + bonus", "for item in chosen)"),
    "bonus for one of a pair": ("i in chosen and j in chosen", "i in chosen or j in chosen"),
    "budget too large in `broken`": ("len(chosen) > instance.budget:", "len(chosen) > instance.budget + 1:"),
    "budget too small in `broken`": ("len(chosen) > instance.budget:", "len(chosen) >= instance.budget:"),
    "no budget in `broken`": ("len(chosen) > instance.budget:", "False:"),
    "budget too large in the graph": ("add_budget(items, instance.budget)", "add_budget(items, instance.budget + 1)"),
    "budget too small in the graph": ("add_budget(items, instance.budget)", "add_budget(items, instance.budget - 1)"),
    "no budget in the graph": ("graph.add_budget(items, instance.budget)", "pass"),
    "no pairs in the graph": ("graph.add_pair_block(np.ravel(instance.pairs).astype(int), instance.bonuses)", "pass"),
    "bonuses negated in the graph": ("astype(int), instance.bonuses)", "astype(int), np.negative(instance.bonuses))"),
    "scores in reverse in the graph": ("add_variables(instance.scores)", "add_variables(instance.scores[::-1])"),
    "scores negated in the graph": ("add_variables(instance.scores)", "add_variables(np.negative(instance.scores))"),
    "a constant in the graph": ("graph = FactorGraph()", "graph = FactorGraph()\n        graph.constant = 1.0"),
    "generator without a seed": ("random.Random(seed)", "random.Random()"),
    "generator with a global seed": ("random.Random(seed)", "random"),
    "generator that ignores its seed": ("random.Random(seed)", "random.Random(0)"),
    "unknown metric": ('return {"items"', 'return {"things"'),
    "metric that is no number": ('{"items": len(chosen)}', '{"items": float("nan")}'),
    "default size that there is not": ('default_size = "large"', 'default_size = "huge"'),
    "instances of another task": ('task: ClassVar[str] = "basket"', 'task: ClassVar[str] = "parsing"'),
}
METHODS = {
    "rounding beyond the budget": "def round(self, instance, posteriors, rounding):\n        return tuple(range(7))",
    "rounding that finds nothing": "def round(self, instance, posteriors, rounding):\n        return None",
    "rounding that alters its input": (
        "def round(self, instance, posteriors, rounding):\n        posteriors[:] = 0.0\n        return ()"
    ),
    "assignment of the others": (
        "def assignment(self, instance, chosen):\n        return 1.0 - super().assignment(instance, chosen)"
    ),
    "structure in reverse": (
        "def structure(self, instance, assignment):\n        return super().structure(instance, assignment[::-1])"
    ),
    "JSON that rounds": (
        "def _to_document(self, instance):\n        document = super()._to_document(instance)\n"
        '        return {**document, "scores": [round(score, 2) for score in document["scores"]]}'
    ),
    "JSON read without checks": (
        "def _from_document(self, document):\n        document.pop('task')\n"
        "        return BasketInstance(**{key: tuple(map(tuple, value)) if key == 'pairs' else value if isinstance(value, (str, int))\n"
        "            else tuple(value) for key, value in document.items()})"
    ),
    "structures that repeat": (
        "def structures(self, instance):\n        yield from super().structures(instance)\n        yield ()"
    ),
    "structures that are few": "def structures(self, instance):\n        yield ()",
    "structures that are infeasible": "def structures(self, instance):\n        yield tuple(range(7))",
    "a count that is too low": "def count_structures(self, instance):\n        return 1.0",
    "lines that are one text": "def render(self, instance, chosen):\n        return str(chosen)",
    "an objective that is a text": "def objective(self, instance, chosen):\n        return '0'",
}
BROKEN = [*CHANGES, *METHODS]


def write_broken(name: str, folder: Path) -> Path:
    """The template of task `basket` with this mistake."""
    path = write_template("task", "basket", folder)
    text = path.read_text(encoding="utf-8")
    if name in CHANGES:
        old, new = CHANGES[name]
        assert text.count(old) == 1, (name, text.count(old))
        text = text.replace(old, new)
    else:
        text += f"\n    {METHODS[name]}\n"
    path.write_text(text, encoding="utf-8")
    return path
