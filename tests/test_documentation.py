"""README, docs/ and the project's pages: links and anchors resolve, lines are short, and no page stands alone."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
LONGEST = 100  # characters of a line of prose
OUTSIDE = ("http:", "https:", "mailto:", "data:")
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]


def prose(text: str) -> str:
    """A page without code: neither fenced nor indented blocks, nor spans, nor what a program writes into it."""
    text = re.sub(r"^<!-- results: begin -->.*?^<!-- results: end -->$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"(?:^|(?<=\n\n))(?: {4}(?!\s*[-*\d]).*\n+)+", "", text)
    return re.sub(r"`[^`\n]*`", "`code`", text)


def links(text: str) -> list[tuple[str, str]]:
    """The targets of a page's links and pictures, each with its anchor."""
    found = re.findall(r"\]\(([^)\s]+)\)", prose(text))
    parts = (unquote(link).partition("#") for link in found if not link.startswith(OUTSIDE))
    return [(path, anchor) for path, _, anchor in parts]


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as hosts of repositories make them."""
    code = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    made: set[str] = set()
    for title in re.findall(r"^#{1,6} +(.+)$", code, re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        slug = re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-")
        made.add(slug if slug not in made else f"{slug}-1")
    return made


@pytest.mark.parametrize("name", NAMES)
def test_links_and_anchors_resolve(name: str) -> None:
    page = ROOT / name
    for path, anchor in links(page.read_text(encoding="utf-8")):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name}: {path} is not there"
        assert target.is_relative_to(ROOT), f"{name}: {path} leads out of the repository"
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), f"{name}: {path} has no heading #{anchor}"


@pytest.mark.parametrize("name", NAMES)
def test_lines_of_prose_are_short(name: str) -> None:
    """Tables, code and pictures are exempt."""
    kept = re.sub(r"^```.*?^```$", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    kept = re.sub(r"^<!-- results: begin -->.*?^<!-- results: end -->$", "", kept, flags=re.MULTILINE | re.DOTALL)
    exempt = re.compile(r"\||!\[| {4}(?!\s*- )")
    assert [line for line in kept.splitlines() if len(line) > LONGEST and not exempt.match(line)] == []


def test_every_page_is_linked_from_another_and_from_the_navigation() -> None:
    linked = {
        (page.parent / path).resolve()
        for page in PAGES
        for path, _ in links(page.read_text(encoding="utf-8"))
        if path and (page.parent / path).resolve() != page
    }
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in sorted(DOCS.rglob("*.md")):
        assert page in linked, f"no page links to {page.relative_to(ROOT)}"
        assert re.search(rf"[ :]{re.escape(page.relative_to(DOCS).as_posix())}$", navigation, re.MULTILINE), page


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git checkout")
@pytest.mark.parametrize("name", [name for name in NAMES if name != "CHANGELOG.md"])
def test_modules_that_pages_name_are_there(name: str) -> None:
    """A span such as `kernels/hub.py` is the end of a file's path; names that begin with `my_` are the reader's."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for span in set(re.findall(r"`([\w/.]+\.py)`", (ROOT / name).read_text(encoding="utf-8"))):
        if not span.startswith("my_"):
            assert any(f"/{path}".endswith(f"/{span}") for path in listed), f"{name}: no module {span}"


def test_the_version_is_the_same_everywhere() -> None:
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert version
    assert f"\nversion: {version[1]}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(
        rf"^## {re.escape(version[1])}\b", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert (DOCS / "releases" / f"{version[1]}.md").exists()


def test_every_cited_paper_has_its_venue() -> None:
    papers = (ROOT / "CITATION.cff").read_text(encoding="utf-8").split("  - type: conference-paper")[1:]
    assert len(papers) == 4
    assert all("\n    collection-title: Proceedings of " in paper for paper in papers)


def test_links_and_anchors_are_found() -> None:
    text = "# A `b` c: d\n\n[one](x.md#part) `[no](n.md)` ![](p%20q.png) [far](https://example.org)\n\n    [code](c.md)\n\n## A `b` c: d\n"
    assert links(text) == [("x.md", "part"), ("p q.png", "")]
    assert anchors(text) == {"a-b-c-d", "a-b-c-d-1"}
