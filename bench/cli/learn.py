"""The commands around learned models: train, evaluate, and parse, compress and summarize for people with text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from problems.errors import InputError
from problems.files import open_regular
from problems.text.conll import is_conll
from problems.text.encodings import HELP as ENCODING_HELP

from ..records.log import writing
from . import completion
from .arguments import parse_options, write_document

if TYPE_CHECKING:
    from ..applications.summarize import TextSummary

console = Console(highlight=False)
messages = Console(highlight=False, stderr=True)
CORPUS_ENCODING = f"Of a CoNLL file, for the task parsing. {ENCODING_HELP}"

Option = Annotated[list[str] | None, typer.Option("--option", help="An option, key=value; may be repeated.")]
Corpus = Annotated[
    str | None,
    typer.Option(help="`generated`, the name of a corpus, or a path.", autocompletion=completion.training_corpora),
]
Data = Annotated[Path | None, typer.Option(help="The folder of real corpora; DUALBENCH_DATA if not given.")]
Solver = Annotated[
    str | None,
    typer.Option(help="A solver of the task; see `dualbench list solvers`.", autocompletion=completion.solvers),
]
Model = Annotated[Path | None, typer.Option(help="A model that `dualbench train` wrote.")]
ParserFile = Annotated[Path | None, typer.Option("--parser", help="A parser other than the model's own.")]
Encoding = Annotated[str | None, typer.Option("--encoding", help=ENCODING_HELP)]
Lines = Annotated[bool, typer.Option("--lines", help="Each line of plain text is one sentence.")]
Tokenised = Annotated[
    bool,
    typer.Option("--tokenised", help="Words are what stands between spaces; each line of plain text is a sentence."),
]
Out = Annotated[Path | None, typer.Option(help="The file to write; standard output if not given.")]


def _options(given: list[str] | None, **named: Any) -> dict[str, Any]:
    options = parse_options(given or [])
    return options | {name: str(value) for name, value in named.items() if value is not None}


def train(
    task: Annotated[
        str, typer.Argument(help="parsing, summarization, compression or transduction", autocompletion=completion.tasks)
    ],
    out: Annotated[Path, typer.Option(help="The file for the model.")],
    corpus: Corpus = None,
    data: Data = None,
    encoding: Annotated[str | None, typer.Option("--encoding", help=CORPUS_ENCODING)] = None,
    option: Option = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue from the checkpoint beside the model.")] = False,
) -> None:
    """Train a model on generated data or on a corpus."""
    from ..learning.loop import TerminalWatcher
    from ..learning.options import training

    chosen = training(task, _options(option, corpus=corpus, data=data, encoding=encoding))
    if out.is_dir():
        raise InputError(f"option '--out' must be a file for the model; {out} is a folder.")
    with TerminalWatcher(console) as watcher:
        figures = chosen.run(out, resume, watcher)
    said = "   ".join(f"{name} {value:.4g}" for name, value in figures.items())
    console.print(f"{out}   {said}".rstrip(), markup=False, soft_wrap=True)


def evaluate(
    task: Annotated[
        str, typer.Argument(help="parsing, summarization, compression or transduction", autocompletion=completion.tasks)
    ],
    model: Annotated[Path, typer.Argument(help="A model that `dualbench train` wrote.")],
    corpus: Corpus = None,
    data: Data = None,
    encoding: Annotated[str | None, typer.Option("--encoding", help=CORPUS_ENCODING)] = None,
    option: Option = None,
    out: Annotated[Path | None, typer.Option(help="A folder for the table (Markdown, CSV, LaTeX).")] = None,
) -> None:
    """Decode a test set with a trained model and print the measures."""
    from ..learning.loop import TerminalWatcher
    from ..learning.options import evaluation
    from ..output.tables import Table

    chosen = evaluation(task, _options(option, corpus=corpus, data=data, encoding=encoding))
    with TerminalWatcher(console) as watcher:
        frame = chosen.run(model, watcher)
    rows = [[_shown(value) for value in row] for row in frame.itertuples(index=False)]
    table = Table(f"{task}: {model.name} on {chosen.corpus}", [str(name) for name in frame.columns], rows, [])
    table.show(console)
    if out is not None:
        table.write(out)


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def parse(
    file: Annotated[Path, typer.Argument(help="Plain text, or CoNLL-U by its name (.conllu, .conll).")],
    model: Model = None,
    solver: Solver = None,
    option: Option = None,
    form: Annotated[str, typer.Option("--format", help="conllu or json")] = "conllu",
    lines: Lines = False,
    encoding: Encoding = None,
    out: Out = None,
) -> None:
    """Tag and parse text. `--option` sets options of the solver."""
    from ..applications.parse import parse_text

    _check_input(file)
    chosen = model or _built_in("parsing")
    _write(parse_text(file, chosen, solver or "", _options(option), form, encoding or "", lines), out)


def compress(
    file: Annotated[Path, typer.Argument(help="Plain text, CoNLL-U (.conllu, .conll) or pairs (.jsonl, .tsv).")],
    model: Model = None,
    rate: Annotated[
        float | None, typer.Option(help="The share of words to keep; the model's own if not given.")
    ] = None,
    parser: ParserFile = None,
    solver: Solver = None,
    option: Option = None,
    form: Annotated[str, typer.Option("--format", help="text, json or conllu")] = "text",
    lines: Lines = False,
    tokenised: Tokenised = False,
    encoding: Encoding = None,
    out: Out = None,
) -> None:
    """Compress each sentence of a text by deleting words. `--option` sets options of the solver."""
    from ..applications.compress import compress_text

    _check_input(file)
    chosen = model or _built_in("compression")
    if parser is None and model is None and not is_conll(file):
        parser = _built_in("parsing")
    options = _options(option)
    how = (form, encoding or "", lines, tokenised)
    found = compress_text(file, chosen, rate, str(parser or ""), solver or "", options, *how)
    _write(found, out)


def summarize(
    folder: Annotated[Path, typer.Argument(help="A folder of text files, one per document, or of topics.")],
    words: Annotated[
        int | None, typer.Option(help="The longest summary; 100 if not given, or a topic's own limit.")
    ] = None,
    model: Model = None,
    parser: ParserFile = None,
    solver: Solver = None,
    option: Option = None,
    form: Annotated[str, typer.Option("--format", help="text or json")] = "text",
    encoding: Annotated[
        str | None, typer.Option("--encoding", help=f"{ENCODING_HELP} Without it, cp1252 if a file is not UTF-8.")
    ] = None,
    out: Out = None,
) -> None:
    """Summarize a folder of documents, or each topic of a corpus. Without a model, scores are counts of concepts."""
    from problems.text.topic_folders import is_topic_corpus

    from ..applications.summarize import DEFAULT_WORDS, summarize_folder, summarize_topics

    if form not in ("text", "json"):
        raise InputError(f"unknown form {form!r} of a summary: expected one of text, json.")
    chosen = (model, solver, _options(option) or None, parser)
    if is_topic_corpus(folder):
        if encoding is not None:
            raise InputError("option '--encoding' is for a folder of documents; topics are in UTF-8 or cp1252.")
        _write_topics(summarize_topics(folder, words, *chosen), form, out)
        return
    summary = summarize_folder(folder, DEFAULT_WORDS if words is None else words, *chosen, encoding or "")
    _write(_summary_text(summary, form), out)


def _summary_text(summary: TextSummary, form: str) -> str:
    return (summary.json() if form == "json" else summary.text()) + "\n"


def _write_topics(summaries: dict[str, TextSummary], form: str, out: Path | None) -> None:
    """Each topic under its name, or into a file TOPIC.txt or TOPIC.json of a folder."""
    if out is None and form == "json":
        _write(
            json.dumps({name: json.loads(each.json()) for name, each in summaries.items()}, ensure_ascii=False) + "\n",
            None,
        )
        return
    if out is None:
        _write("\n".join(f"# {name}\n{_summary_text(each, form)}" for name, each in summaries.items()), None)
        return
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    for name, summary in summaries.items():
        _write(_summary_text(summary, form), out / f"{name}.{'json' if form == 'json' else 'txt'}")


def _check_input(file: Path) -> None:
    """Refuse a file that cannot be read before a model is trained for it."""
    try:
        open_regular(file).close()
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror}).") from None


def _built_in(task: str) -> Path:
    from ..learning.loop import TerminalWatcher
    from .built_in import built_in_model

    with TerminalWatcher(messages) as watcher:
        return built_in_model(task, watcher)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        write_document(text)
        return
    with writing(out):
        out.write_text(text, encoding="utf-8", newline="\n")
