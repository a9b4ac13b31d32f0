"""The Python interface: which public names stand on which page. mkdocstrings fills in what their docstrings say."""

from __future__ import annotations

NAMES: dict[str, tuple[str, tuple[str, ...]]] = {
    "problems": (
        "Tasks, instances and factor graphs.",
        (
            *("problems.get_task", "problems.task_names", "problems.task_of", "problems.task.Task"),
            *("problems.factor_graph.FactorGraph", "problems.errors.InputError"),
        ),
    ),
    "solvers": (
        "Solvers and what they return.",
        (
            *("solvers.get_solver", "solvers.make_solver", "solvers.solver_names", "solvers.solver_class"),
            *("solvers.base.Solver", "solvers.base.Solution", "solvers.base.TracePoint", "solvers.base.cpu_clock"),
            *("solvers.conclude.judge", "solvers.conclude.from_posteriors"),
        ),
    ),
    "bench": (
        "Runs, tables and plots.",
        (
            *("bench.run", "bench.race", "bench.load_run", "bench.table", "bench.plot", "bench.verdict"),
            *("bench.runner.runner.run", "bench.records.log.load_run", "bench.experiments.plugins.load_plugin"),
            "bench.records.frame.Records",
        ),
    ),
    "factors": (
        "Base classes for factors of your own.",
        ("problems.factors.foreign.Factor", "problems.factors.compiled.CompiledFactor", "problems.factors.block.Block"),
    ),
    "metrics": (
        "Quality of structures against gold.",
        ("problems.metrics.rouge", "problems.metrics.attachment.official_scores"),
    ),
    "applications": (
        "Parse, compress and summarize text.",
        (
            "bench.applications.parse.parse_text",
            "bench.applications.compress.compress_text",
            "bench.applications.summarize.summarize_folder",
        ),
    ),
}


def api_pages() -> dict[str, str]:
    rows = "\n".join(f"- [`{stem}`]({stem}.md): {about}" for stem, (about, _) in NAMES.items())
    pages = {"reference/api/index.md": f"# Python\n\nNames that other code may rely on.\n\n{rows}\n"}
    for stem, (about, names) in NAMES.items():
        pages[f"reference/api/{stem}.md"] = "\n\n".join([f"# {stem}", about, *(f"::: {name}" for name in names)]) + "\n"
    return pages
