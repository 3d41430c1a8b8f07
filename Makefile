# Everything a person or a machine does with a clone. Each target is complete: it prepares .venv itself.

PYTHON ?= python3
ARGS ?=
WORKERS ?= auto
BIN := .venv/bin

.PHONY: help play test lint format types check lock upgrade build docs clean

help:
	@echo "make play      play in the browser          (ARGS=... goes to 'kingme play')"
	@echo "make test      run every test               (ARGS=... goes to pytest, WORKERS=0 runs them in line)"
	@echo "make check     lint, types and layers"
	@echo "make format    format the code"
	@echo "make lock      lock the dependencies again after a change in pyproject.toml"
	@echo "make upgrade   lock the newest versions of all dependencies"
	@echo "make build     build the wheel and the sdist into dist/"
	@echo "make docs      build the documentation site into build/docs/, from docs/ and the docstrings"
	@echo "make clean     remove what the other targets made in this folder, .venv included"

play:
	@$(PYTHON) scripts/bootstrap.py play
	@exec $(BIN)/kingme play $(ARGS)

test:
	@$(PYTHON) scripts/bootstrap.py dev
	@$(BIN)/python scripts/chromium.py
	@$(BIN)/python scripts/services.py
	@$(BIN)/python scripts/linker.py
	@$(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 4 --dist loadfile --no-loadscope-reorder $(ARGS)

check: lint types

lint:
	@$(PYTHON) scripts/bootstrap.py dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

types:
	@$(PYTHON) scripts/bootstrap.py dev
	$(BIN)/mypy

format:
	@$(PYTHON) scripts/bootstrap.py dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

lock:
	@$(PYTHON) scripts/bootstrap.py dev
	@$(BIN)/python scripts/lock.py

upgrade:
	@$(PYTHON) scripts/bootstrap.py dev
	@$(BIN)/python scripts/lock.py --upgrade

build:
	@$(PYTHON) scripts/bootstrap.py dev
	$(BIN)/python -m hatchling build

docs:
	@$(PYTHON) scripts/bootstrap.py docs
	@$(BIN)/python -m sphinx -W --keep-going -q -E -b html -d build/docs/.trees docs build/docs $(ARGS)
	@echo "The documentation begins at build/docs/index.html"

clean:
	rm -rf .venv .cache build dist .coverage .hypothesis .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
