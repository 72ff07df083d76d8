# Everything a fresh clone needs; `make` lists it. Python 3.11+ and make suffice.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: help demo test style plain bench docs page format clean install-matrix

help: ## lists these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.installed ## creates .venv, installs, and verifies a robot cell
	$(BIN)/keepclear demo --out build/demo

test: $(VENV)/.installed-dev ## checks everything: format, lint, types, plain and compiled tests
	$(MAKE) --no-print-directory --jobs 2 --output-sync=target style plain
	$(BIN)/keepclear warmup
	tests/install_chromium
	$(BIN)/pytest -n auto --dist loadgroup

style: $(VENV)/.installed-dev ## the fast part of the checks: ruff format, ruff check, mypy
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# Kernels as plain Python, in the folders whose answers come from kernels; elsewhere compiling changes nothing.
PLAIN := $(addprefix tests/unit/,kernels query scene crowd)
plain: $(VENV)/.installed-dev ## unit tests of kernels, run as plain Python
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n auto -q -r fE $(PLAIN)

bench: $(VENV)/.installed-bench ## side by side with other libraries; writes docs/evidence.md
	$(BIN)/python -m benchmarks.evidence

install-matrix: $(VENV)/.installed-dev ## installs the checkout with old and new pip and with uv; downloads much
	$(BIN)/keepclear warmup
	$(BIN)/python -m tools.install_matrix

docs: $(VENV)/.installed-docs ## builds the site in build/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

page: ## rebuilds the pages of reports from web/; needs node
	cd web && npm ci --silent && npm run build --silent

format: $(VENV)/.installed-dev ## formats, and applies the linter's fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean: ## removes .venv and everything built
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet "hatchling>=1.26" "editables>=0.5"
	touch $@

# Without build isolation, because an editable install needs the build requirements of a wheel (Numba) a second time.
$(VENV)/.installed: pyproject.toml hatch_build.py $(VENV)/.created
	$(BIN)/pip install --quiet --no-build-isolation --editable .
	touch $@

$(VENV)/.installed-%: pyproject.toml hatch_build.py $(VENV)/.created
	$(BIN)/pip install --quiet --no-build-isolation --editable ".[$*]"
	touch $@ $(VENV)/.installed
