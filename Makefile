# The manual: `make help`. Needs python3 (3.11 or later, with venv) and make; everything else is set up in .venv.
PYTHON ?= python3
PORT ?= 8000
HOST ?= 127.0.0.1
DATA ?= data
WORKERS ?= 2
UV ?= uv

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
SOURCES := domain projections api replay tests
PARALLEL := -n $(WORKERS) --dist worksteal
# What `make check` leaves to `make test`: tests that take seconds each, as they count, tamper, crash or play whole games.
LENGTHY := $(wildcard $(foreach name,*perft *rulebook *properties *metamorphic *differential store_* recorders_stress, \
	tests/domain/test_$(name).py)) \
	$(wildcard $(foreach name,tampering variants forg* cli audit questions* many stored_and_file *_courses clock, \
	tests/replay/test_$(name).py)) \
	$(wildcard $(foreach name,*_games views_by_rule offers seat_view runner,tests/projections/test_$(name).py))
COMPILE := $(UV) pip compile --universal --generate-hashes --no-emit-index-url --no-header --no-annotate --quiet
CORE_COVERAGE := --include='domain/*,replay/*' --omit='domain/store/*.py'

.DEFAULT_GOAL := help
.PHONY: help setup run test check lint types layers clauses cov demo games tamper bench mutants events format lock clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## .venv with everything; takes no time when it is up to date

$(STAMP): requirements-dev.txt pyproject.toml
	@echo "setting up $(VENV) from requirements-dev.txt and pyproject.toml: a minute or two the first time"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

run: setup ## serve on an embedded SQLite file: HOST=127.0.0.1 PORT=8000 DATA=data
	$(BIN)/trickbook serve --host $(HOST) --port $(PORT) --data $(DATA)

test: setup ## every test, on SQLite and on a PostgreSQL really started: WORKERS=2
	$(BIN)/python -m pytest -q $(PARALLEL)

check: setup ## the quick round while working: lint, and of domain, projections and replay the tests that take no time
	$(BIN)/ruff check --quiet .
	$(BIN)/python -m pytest -q $(PARALLEL) -k "not postgres" $(addprefix --ignore=,$(LENGTHY)) \
		tests/domain tests/projections tests/replay

lint: setup ## ruff
	$(BIN)/ruff check --quiet .

types: setup ## mypy --strict
	$(BIN)/mypy

layers: setup ## who may import whom (docs/design.md)
	$(BIN)/lint-imports --no-logo

clauses: setup ## the conformance matrix: every rule clause and the tests that carry its number
	$(BIN)/python -m tests.clauses

cov: setup ## 100 % of the branches of domain/ and replay/; the store is reported apart
	$(BIN)/python -m pytest -q $(PARALLEL) --cov --cov-report=
	$(BIN)/coverage report --include='domain/store/*.py,projections/*,api/*'
	$(BIN)/coverage report $(CORE_COVERAGE) --fail-under=100

demo: setup ## play a whole game of each variant with bots over HTTP, replay one hand and audit them all
	$(BIN)/trickbook demo

games: setup ## slow: whole games by the hundred, every number of players and goal, on both stores
	$(BIN)/python -m pytest -q $(PARALLEL) -m slow

tamper: setup ## slow: every kind of tampering, and 20,000 single bytes of a store and of exports changed at random
	$(BIN)/python -m pytest -q $(PARALLEL) -m "slow or not slow" tests/tamper
	$(BIN)/python -m tests.tamper

bench: setup ## slow: the figures of bench/results.md
	$(BIN)/python -m bench

mutants: setup ## slow: change the rules line by line and see a test fail each time
	$(BIN)/mutmut run

events: setup ## write docs/events.md anew from the facts
	$(BIN)/python -m tests.events_page

format: setup ## let ruff mend what it can
	$(BIN)/ruff check --quiet --fix .

lock: ## pin the requirements anew (needs uv): UV=uv
	$(COMPILE) --upgrade pyproject.toml -o requirements.txt
	$(COMPILE) --upgrade pyproject.toml --group dev -c requirements.txt -o requirements-dev.txt
	$(COMPILE) --group build -c requirements-dev.txt -o requirements-build.txt

clean: ## remove what make made; games in data/ stay
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage htmlcov mutants
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +
