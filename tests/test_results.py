"""What is committed in results/: every folder says where it comes from, both tables say what the folders say, and links lead somewhere."""

from __future__ import annotations

import json
import re
import subprocess
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

from bench.records.log import PROVENANCE
from bench.reproduction.results_index import pages

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "results"


def test_the_index_and_the_readme_say_what_the_folders_say() -> None:
    """If not: python -m bench.reproduction.publish --index."""
    for path, text in pages(RESULTS).items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: python -m bench.reproduction.publish --index"


def without_origin(folder: Path) -> str:
    """What the provenance of a folder lacks; nothing if it has all."""
    if not (folder / PROVENANCE).exists():
        return PROVENANCE
    facts = json.loads((folder / PROVENANCE).read_text(encoding="utf-8"))
    load = facts.get("load")
    missing = {
        "commit": not (facts.get("code") or {}).get("commit"),
        "command": not facts.get("command"),
        "load": not isinstance(load, dict) or not load.get("before") or not load.get("after"),
    }
    return ", ".join(name for name, is_missing in missing.items() if is_missing)


def test_every_folder_says_where_it_comes_from() -> None:
    """What an older version recorded without its load is marked so in the index; commit and command are always there."""
    folders = sorted(path for path in RESULTS.iterdir() if path.is_dir())
    assert folders
    index = (RESULTS / "README.md").read_text(encoding="utf-8")
    for path in folders:
        missing = without_origin(path)
        marked = any(f"({path.name})" in line and "unknown load" in line for line in index.splitlines())
        assert not missing or (missing == "load" and marked), f"{path.name}: {missing}"


def links(path: Path) -> list[str]:
    """The targets of a page that are files."""
    text = path.read_text(encoding="utf-8")
    found = (
        re.findall(r'(?:href|src)="([^"]*)"', text) if path.suffix == ".html" else re.findall(r"\]\(([^)\s]+)\)", text)
    )
    outside = ("#", "data:", "http:", "https:", "mailto:")
    return [unquote(unescape(link)).partition("#")[0] for link in found if not link.startswith(outside)]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git checkout")
def test_committed_pages_have_no_dead_links() -> None:
    """A link leads to a file of the repository: one that only the machine of a run has is dead."""
    names = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(names, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    files = {ROOT / name for name in listed if (ROOT / name).exists()}
    known = files | {parent for path in files for parent in path.parents}
    read = sorted(
        path for path in files if path.suffix == ".md" or (path.suffix == ".html" and RESULTS in path.parents)
    )
    assert read
    dead = [(str(page), link) for page in read for link in links(page) if (page.parent / link).resolve() not in known]
    assert dead == []


def test_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("[one](b/c.md#part) and [two](https://example.org) and ![](d%20e.png)")
    assert links(tmp_path / "a.md") == ["b/c.md", "d e.png"]
    (tmp_path / "a.html").write_text('<a href="#top"></a><a href="x/y.html?">z</a><img src="data:image/png;base64,AA">')
    assert links(tmp_path / "a.html") == ["x/y.html?"]
