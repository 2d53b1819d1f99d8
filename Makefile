# The two commands a newcomer needs: `make run` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO ?= demo
ROUNDS ?= 50
CUTS ?= 1000
WORKERS ?= 4
PYTEST = QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -q --durations=30

# Each module is compiled once, when it is first imported, even where Python is told to forget it:
# tests and benchmarks start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help run test pytest lint format bench simulate soak soak-power wheel clean

help:
	@echo "make run    install, build the demo study in ./$(DEMO) and open it"
	@echo "make test   install everything, lint, type-check, test"
	@echo "make lint   lint, type-check, check the layers and the guide"
	@echo "make format let ruff format the code"
	@echo "make bench  run the benchmarks and write docs/benchmarks.md (ONLY=…, ONLY=full_size)"
	@echo "make simulate  check intervals and tests in simulated studies and write docs/statistics.md (STUDIES=…)"
	@echo "make soak   kill the program $(ROUNDS) times and account for every answer and verdict (ROUNDS=…, SEED=…)"
	@echo "make soak-power  cut the power $(CUTS) times on a recorded disk (CUTS=…, SEED=…; needs FUSE)"
	@echo "make wheel  build the wheel into dist/"

run: $(VENV)/.run
	@$(BIN)/labeler demo $(DEMO)

# Lint and the tests share the cores: the tests wait for windows and disks half of their time.
test: $(VENV)/.dev
	@$(BIN)/python -m labeler.system_libraries
	@$(MAKE) --no-print-directory -j 2 lint pytest

# Tests that import torch run apart: it would cost every other worker most of a gigabyte.
pytest: $(VENV)/.dev
	@$(PYTEST) -n $(WORKERS) --ignore=tests/unit/scoring
	@$(PYTEST) -n 2 tests/unit/scoring

lint: $(VENV)/.dev
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/labeler guide check --at-least 1000

format: $(VENV)/.dev
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(VENV)/.dev
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.benchmarks $(ONLY)

simulate: $(VENV)/.dev
	@$(BIN)/python -m tests.simulations $(STUDIES)

soak: $(VENV)/.dev
	@$(BIN)/python -m tests.soak $(ROUNDS) $(SEED)

soak-power: $(VENV)/.dev
	@$(BIN)/python -m tests.power $(CUTS) $(SEED)

wheel: $(VENV)/.dev
	@$(BIN)/python -m build --wheel --no-isolation

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

$(VENV)/bin/python:
	@command -v $(PYTHON) >/dev/null || \
		{ echo "labeler needs Python 3.11 or newer, and '$(PYTHON)' is not installed."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "labeler needs Python 3.11 or newer; '$(PYTHON)' is `$(PYTHON) -V`. Set PYTHON=python3.11 or newer."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "Python can't make a virtual environment here: install its venv module (on Debian: apt-get install python3-venv)."; exit 1; }
	@$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.run: $(VENV)/bin/python pyproject.toml
	@echo "Installing labeler into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml
	@echo "Installing labeler and what its tests need into $(VENV) …"
	@# Most of what the tests' libraries hold is never imported, so nothing is compiled ahead.
	@$(BIN)/python -m pip install --quiet --no-compile --editable '.[models,postgres]' --group dev
	@touch $@ $(VENV)/.run
