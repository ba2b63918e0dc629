# Needs python3 (3.11 or newer) and make. `make` alone lists what can be done.
# Another interpreter: PYTHON=python3.12 make test

PYTHON ?= python3
UV ?= uv
VENV := .venv
STAMP := $(VENV)/.installed
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
RUN := $(BIN)/python
BOOK := _build/html/index.html

# The same results on every machine: nothing is read from or written to the user's own settings.
export PYTHONHASHSEED := 0
export PYTHONNOUSERSITE := 1
export PYTHONUTF8 := 1
export JUPYTER_CONFIG_DIR := $(CURDIR)/$(VENV)/var/jupyter/config
export JUPYTER_DATA_DIR := $(CURDIR)/$(VENV)/var/jupyter/data
export JUPYTER_RUNTIME_DIR := $(CURDIR)/$(VENV)/var/jupyter/runtime
export JUPYTER_PLATFORM_DIRS := 1
export IPYTHONDIR := $(CURDIR)/$(VENV)/var/ipython
export MPLCONFIGDIR := $(CURDIR)/$(VENV)/var/matplotlib
unexport MPLBACKEND PYTHONDONTWRITEBYTECODE PYTHONHOME PYTHONPATH PYTHONSTARTUP PYTHONWARNINGS

.PHONY: help proofs venv book ledger lab test quick bench tables refresh reproduce lint format lock clean distclean FORCE
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# An environment knows its folder and its interpreter. If either is another one now, it is built anew;
# without PYTHON=... an existing environment is kept whatever its interpreter.
WANTED := $(CURDIR)
ifneq ($(origin PYTHON),file)
WANTED += $(shell $(PYTHON) -c 'import platform; print(platform.python_version())' 2>/dev/null)
endif
FOUND := $(shell cat $(STAMP) 2>/dev/null)
ifneq ($(FOUND),)
ifneq ($(filter-out $(FOUND),$(WANTED)),)
$(STAMP): FORCE
REBUILD := yes
endif
endif

$(STAMP): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "klcal needs Python 3.11 or newer, but '$(PYTHON)' is: $$($(PYTHON) --version 2>&1 || echo not found)"; \
	  echo "Name another interpreter, for example: PYTHON=python3.12 make $(or $(MAKECMDGOALS),venv)"; \
	  exit 1; }
	@rm -f $(STAMP)
	@echo "Building the environment in $(VENV): about two minutes from nothing, seconds after small changes."
	@{ test -z "$(REBUILD)" && $(RUN) -m pip --version >/dev/null 2>&1; } || $(PYTHON) -m venv --clear $(VENV)
	$(RUN) -m pip install --quiet --no-compile --disable-pip-version-check --require-hashes -r requirements.txt # Python compiles what is used
	$(RUN) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --config-settings editable_mode=compat -e . # type checkers see the package, too
	@mkdir -p $(VENV)/var # IPython keeps its files there, but does not make the folder
	@echo "$(CURDIR) $$($(RUN) -c 'import platform; print(platform.python_version())')" > $(STAMP)

venv: $(STAMP) ## build the environment in .venv from requirements.txt (the other targets do it when needed)

# A changed page can change others (the bibliography lists what all pages cite), so the book is built whole or not at all.
# The package and the proofs count too: pages show its docstrings and their statements.
# A failed build leaves no index, and so fails again at the next call.
PAGES := $(shell find chapters klcal proofs -type f -not -path '*/.ipynb_checkpoints/*' -not -path '*/__pycache__/*')
$(BOOK): $(STAMP) _config.yml _toc.yml $(PAGES)
	@$(RUN) -c 'from jupyter_book.cli.main import main; main()' build . --all -W --keep-going -n || { rm -f $(BOOK); exit 1; }
	@touch $(BOOK)

book: $(BOOK) ## build the book; warnings are errors
	@echo
	@command -v coqc >/dev/null || echo "The proofs were not recompiled: make proofs does that, where Coq is installed."
	@echo "The book is built. Open this file in a browser: $(CURDIR)/$(BOOK)"

ledger: $(STAMP) ## read the ledger off the stored notebooks into _build/ledger.json (seconds)
	$(RUN) chapters/_ext/klcal_book/ledger.py

test: $(BOOK) ## run unit tests, doctests and every notebook, comparing all stored outputs
	$(RUN) -m pytest -n auto --dist loadscope --no-loadscope-reorder --nbval --nbval-current-env --nbval-cell-timeout=300 --nbval-kernel-startup-timeout=600 --nbval-sanitize-with tests/nbval.cfg chapters klcal tests

quick: $(STAMP) ## run unit tests and doctests alone, without notebooks and browser
	$(RUN) -m pytest -n auto --dist loadscope --no-loadscope-reorder --ignore=tests/browser klcal tests

proofs: $(STAMP) ## compile the machine-checked proofs and compare what the kernel says (needs Coq; STORE=--store to store it)
	$(RUN) tests/tools/check_proofs.py $(STORE)

bench: export OPENBLAS_NUM_THREADS := 1
bench: $(STAMP) ## measure the engines against each other
	$(RUN) tests/benchmarks/bench_engines.py

tables: $(STAMP) ## play all games of the stored tables again (a quarter of an hour on two cores; goes on where it was stopped)
	$(RUN) -m klcal tables --cache _build/games

# JupyterLab is installed when it is first asked for, from its own lock, with the versions of requirements.txt.
LAB := $(VENV)/.lab
$(LAB): $(STAMP) requirements-lab.txt
	@echo "Installing JupyterLab: half a minute, once."
	$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-lab.txt
	@touch $(LAB)

lab: $(LAB) ## open copies of the notebooks in JupyterLab, to change and run (in _build/lab; the book stays as it is)
	$(RUN) tests/tools/open_lab.py

refresh: $(STAMP) ## re-execute all notebooks in place (NOTEBOOKS="..." for some)
	$(RUN) tests/tools/refresh_notebooks.py $(NOTEBOOKS)

reproduce: $(STAMP) ## play all stored games again and execute all notebooks; fail if anything differs (a quarter of an hour)
	$(RUN) -m klcal tables --check
	$(RUN) tests/tools/refresh_notebooks.py --check

lint: $(STAMP) ## ruff on package, tests and notebooks; mypy --strict on package and extension; sizes of the rooms
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy --strict klcal chapters/_ext/klcal_book
	@$(RUN) tests/tools/sizes.py

format: $(STAMP) ## let ruff format and sort
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

# The fewest versions of a package: one and the same on every Python that is supported, so that results are, too.
lock: ## write requirements.txt anew from pyproject.toml (needs uv; UVFLAGS=--upgrade for newer versions)
	@command -v $(UV) >/dev/null || { \
	  echo "make lock needs uv, which is not part of the environment: install it, or UV=/path/to/uv make lock"; exit 1; }
	$(UV) pip compile pyproject.toml --extra book --extra dask --group dev --universal --fork-strategy fewest --generate-hashes --python-version 3.11 \
	  --no-header --quiet $(UVFLAGS) --output-file requirements.txt
	$(UV) pip compile pyproject.toml --extra lab --constraints requirements.txt --universal --fork-strategy fewest \
	  --generate-hashes --python-version 3.11 --no-header --quiet $(UVFLAGS) --output-file requirements-lab.txt

clean: ## remove the built book and all caches, keep the environment
	rm -rf _build .pytest_cache .hypothesis .mypy_cache .ruff_cache
	find klcal tests chapters -name __pycache__ -type d -prune -exec rm -rf {} +
	find chapters -name .ipynb_checkpoints -type d -prune -exec rm -rf {} +

distclean: clean ## remove the environment too
	rm -rf $(VENV) *.egg-info
