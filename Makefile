# Two commands do everything on a machine with Python 3.11+, make and git: `make reproduce` and `make test`.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
RUNTIME := $(VENV)/.runtime
INSTALL = $(BIN)/python -m pip install --disable-pip-version-check --progress-bar on --editable
# one process more than cores: many tests wait for others
PARALLEL := --numprocesses 3 --dist loadfile --no-loadscope-reorder

.PHONY: reproduce results real-data results-real test default-tests test-all benchmark lint docs clean

$(STAMP): EXTRAS := dev
$(RUNTIME): EXTRAS := crf,gurobi,xpress
$(STAMP) $(RUNTIME): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "dualbench needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) -V`. Try make PYTHON=python3.12"; exit 2; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing dualbench and what it needs into $(VENV) (a few minutes)"
	@(while sleep 15; do echo "  still installing ..."; done) & said=$$!; \
		$(INSTALL) '.[$(EXTRAS)]'; code=$$?; kill $$said; exit $$code
	touch $@ $(RUNTIME)

reproduce: $(RUNTIME)  ## the papers' tables on generated data
	$(BIN)/dualbench reproduce --anytime --open --brief

results: $(STAMP)  ## record everything in results/: runs on an idle machine, then the papers' tables from the same runs
	$(BIN)/python -m bench.reproduction.publish
	$(BIN)/dualbench reproduce --jobs 1 --out results/reproduction
	$(BIN)/python -m bench.reproduction.publish --index

real-data:
	@test -d "$(DUALBENCH_DATA)" || { echo "make results-real needs the folder of the real corpora: make results-real DUALBENCH_DATA=DIR"; exit 2; }

results-real: real-data $(STAMP)  ## record the papers' tables on the real corpora
	$(BIN)/dualbench reproduce --jobs 1 --data "$(DUALBENCH_DATA)" --no-texts --out results/reproduction-real

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: $(STAMP)  ## lint, types and the default tests, side by side
	@$(MAKE) --no-print-directory --jobs 2 lint default-tests

default-tests: $(STAMP)
	$(BIN)/python -m pytest $(PARALLEL)

test-all: $(STAMP) lint  ## also the slow tests, and many more random examples
	DUALBENCH_HYPOTHESIS=thorough $(BIN)/python -m pytest $(PARALLEL) -m 'slow or not slow'

benchmark: $(STAMP)  ## timings by pytest-benchmark, in CPU time
	$(BIN)/python -m pytest tests/benchmarks --benchmark-enable --benchmark-only -m 'slow or not slow' --benchmark-timer=solvers.base.cpu_clock

docs: $(STAMP)  ## the documentation site in site/; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks build dist site *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
