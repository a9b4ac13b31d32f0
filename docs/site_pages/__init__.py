"""Pages of the documentation site that are made from code and results, so that nothing is typed twice.

`hook` is what mkdocs loads (see `mkdocs.yml`); each of the other modules returns pages as {path in the site: Markdown}.
"""
