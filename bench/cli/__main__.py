"""`python -m bench.cli` is the command `dualbench`."""

from __future__ import annotations

from . import main

if __name__ == "__main__":
    main()
