"""The hook of mkdocs: adds the pages that are made from code and results, fills the navigation, and leads links into the site.

Pages in `docs/` link to files of the repository (`../results/README.md`), which works wherever the repository is browsed. The
site holds copies of some of these files; `site_path` says where.
"""

from __future__ import annotations

import json
import posixpath
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
for place in (HERE.parent, ROOT):  # mkdocs loads this file by its path
    if str(place) not in sys.path:
        sys.path.insert(0, str(place))

from site_pages.api_pages import api_pages  # noqa: E402
from site_pages.catalogue_pages import catalogue_pages  # noqa: E402
from site_pages.command_pages import command_pages  # noqa: E402
from site_pages.result_pages import COVERS, PUBLISHED, paper_pages, result_pages  # noqa: E402

LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
OUTSIDE = ("http:", "https:", "mailto:", "data:")
COPIED = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
MOVED = {
    **COPIED,
    "README.md": "index.md",
    "docs/tour.ipynb": "tour.md",
    "results/README.md": "results/index.md",
    "results/reproduction/claims.md": "results/claims.md",
    "results/reproduction/cover.png": "results/reproduction/cover.png",
}
COVER = re.compile(rf'<img [^>]*src="([^"]*){re.escape(COVERS[0])}"[^>]*>')
LISTED = re.compile(r"^<!-- pages: (\w+) -->$", re.MULTILINE)


@cache
def made() -> tuple[dict[str, str], dict[str, str], dict[str, Path]]:
    """Pages that are made here, pages copied from the repository (by the path of their source), and files to show."""
    pages, files = result_pages(ROOT)
    made_here = {
        **command_pages(),
        **catalogue_pages(),
        **api_pages(),
        "tour.md": notebook_page(ROOT / "docs/tour.ipynb"),
    }
    copied = {path: "results/README.md" if path == "results/index.md" else "" for path in pages}
    made_here |= pages
    for source, path in COPIED.items():
        made_here[path] = (ROOT / source).read_text(encoding="utf-8")
        copied[path] = source
    return made_here, {path: source for path, source in copied.items() if source}, files


def notebook_page(path: Path) -> str:
    """A notebook as a page: its text, and its code without outputs, which depend on the machine."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
    return "\n\n".join(parts) + "\n"


def site_path(source: str) -> str | None:
    """Where the site has a file of the repository; None if it has not."""
    if source in MOVED:
        return MOVED[source]
    if source.startswith("docs/"):
        return source.removeprefix("docs/")
    folder = re.fullmatch(r"results/([\w-]+)(?:/.*)?", source)
    return f"results/{folder[1]}.md" if folder else None


def led(text: str, source: str, page: str) -> str:
    """A page's text with its links led into the site; `source` is the file's path in the repository, `page` that in the site."""

    def lead(found: re.Match[str]) -> str:
        before, target, anchor, after = found.groups()
        if target.startswith(OUTSIDE):
            return found[0]
        place = site_path(posixpath.normpath(posixpath.join(posixpath.dirname(source), target)))
        if place is None:
            return found[0]
        return f"{before}{posixpath.relpath(place, posixpath.dirname(page) or '.')}{anchor or ''}{after}"

    return LINK.sub(lead, text)


def lists() -> dict[str, list[tuple[str, str]]]:
    """The pages of each list, with titles: for the navigation and for pages that name them."""
    pages, _, _ = made()
    commands = sorted(
        path for path in pages if path.startswith("reference/commands/") and not path.endswith("index.md")
    )
    interfaces = [path for path in pages if path.startswith("reference/api/") and not path.endswith("index.md")]
    results = sorted(path for path in pages if path.startswith("results/"))
    others = ("results/index.md", "results/claims.md", f"results/{PUBLISHED}.md")
    catalogues = ("solvers", "factors", "tasks", "experiments")
    return {
        "catalogues": [(stem.capitalize(), f"reference/{stem}.md") for stem in catalogues],
        "commands": [(pages[path].partition("\n")[0].removeprefix("# dualbench "), path) for path in commands],
        "api": [(Path(path).stem, path) for path in interfaces],
        "papers": [(title, path) for path, title in paper_pages().items()],
        "results": [(Path(path).stem, path) for path in results if path not in others],
    }


def on_config(config: Any) -> Any:
    """Put the lists of pages where the navigation names them."""

    def filled(entry: Any) -> Any:
        if isinstance(entry, list):
            return [filled(each) for each in entry]
        if isinstance(entry, dict):
            return {title: filled(below) for title, below in entry.items()}
        if isinstance(entry, str) and entry.startswith("pages:"):
            return [{title: path} for title, path in lists()[entry.removeprefix("pages:")]]
        return entry

    config.nav = [_flat(filled(entry)) for entry in config.nav]
    return config


def _flat(entry: Any) -> Any:
    """A list within a list belongs to the outer one."""
    if isinstance(entry, dict):
        return {title: _flat(below) for title, below in entry.items()}
    if isinstance(entry, list):
        flat: list[Any] = []
        for each in entry:
            found = _flat(each)
            flat += found if isinstance(found, list) else [found]
        return flat
    return entry


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File

    pages, copied, shown = made()
    for path, text in pages.items():
        source = copied.get(path)
        files.append(File.generated(config, path, content=led(text, source, path) if source else text))
    for path, origin in shown.items():
        files.append(File.generated(config, path, abs_src_path=str(origin)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links of the pages in docs/ into the site, and name the pages of a list where a page asks for them."""
    path = page.file.src_uri
    if path not in made()[0]:
        markdown = led(markdown, f"docs/{path}", path)
    here = posixpath.dirname(path) or "."

    def listed(found: re.Match[str]) -> str:
        return "\n".join(f"- [{title}]({posixpath.relpath(to, here)})" for title, to in lists()[found[1]])

    return LISTED.sub(listed, markdown)


def on_page_content(html: str, **_: Any) -> str:
    """The cover is as wide as a desk's screen: small screens get the drawing that was made for them."""
    source = rf'<source media="(max-width: 40rem)" srcset="\1{COVERS[1]}">'
    return COVER.sub(rf"<picture>{source}\g<0></picture>", html)
