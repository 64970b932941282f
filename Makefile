# The manual: `make help`. You need python3 (3.11 or later, with venv) and make; everything else goes into .venv.
PYTHON ?= python3
PORT ?= 8000
HOST ?= 127.0.0.1
DATA ?= data
WORKERS ?= 3
SEED ?= 1
WORLDS ?= 1000
HOURS ?= 1
UV ?= uv

# Tests start processes, each of which would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
READY := $(VENV)/.ready
NODE := $(VENV)/node
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SOURCES := domain projections api replay trickbook tests
PARALLEL := -n $(WORKERS) --dist loadgroup
COMPILE := $(UV) pip compile --universal --generate-hashes --no-emit-index-url --no-header --no-annotate --no-strip-extras --quiet
CORE_COVERAGE := --include='domain/*,replay/*' --omit='domain/store/**'

.DEFAULT_GOAL := help
.PHONY: help setup runtime run check test everything slowest lint types scripts layers clauses prose docs web cov demo games tamper agreement rulebooks fuzz worlds \
	simulate kills cluster clocks soak powercuts bench mutants events attacks examples openapi contract format pictures lock dist clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

runtime: $(RUNTIME) ## set up .venv with what the server needs (140 MB)

setup: $(READY) ## set up .venv with the test tools as well (500 MB)

$(RUNTIME): requirements.txt requirements-build.txt pyproject.toml
	@echo "setting up $(VENV) for the server from requirements.txt: half a minute the first time"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes -r requirements-build.txt
	$(PIP) --require-hashes -r requirements.txt
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

# without --use-pep517, pip before 23.1 doesn't record the files of what has no wheel, and tests copy these
$(READY): requirements-dev.txt $(RUNTIME)
	@echo "adding the test tools from requirements-dev.txt: a minute or two the first time"
	$(PIP) --use-pep517 --require-hashes -r requirements-dev.txt
	@touch $@

$(NODE)/.ready: package.json package-lock.json
	@echo "adding TypeScript and Biome from package-lock.json: a few seconds the first time"
	mkdir -p $(NODE)
	cp package.json package-lock.json $(NODE)
	cd $(NODE) && npm ci --silent --ignore-scripts --no-audit --no-fund
	@touch $@

run: runtime ## serve on an embedded SQLite file: HOST=127.0.0.1 PORT=8000 DATA=data
	$(BIN)/trickbook serve --host $(HOST) --port $(PORT) --data $(DATA)

check: setup ## the quick round, in a minute: lint, and the tests that start no process, on SQLite
	$(BIN)/ruff check --quiet .
	$(BIN)/python -m pytest -q $(PARALLEL) --quick tests/domain tests/projections tests/replay

test: setup ## run the tests, on SQLite and on a PostgreSQL that is really started: WORKERS=3
	$(BIN)/python -m pytest -q $(PARALLEL) --compare-statements

everything: setup ## slow, three hours: every test on both stores, and each campaign
	$(BIN)/python -m pytest -q $(PARALLEL) --stores both -m "slow or not slow" --compare-statements
	$(BIN)/python -m tests.campaigns.tamper
	$(BIN)/python -m tests.campaigns.agreement
	$(BIN)/python -m tests.campaigns.house_rules
	$(BIN)/python -m tests.campaigns.fuzz
	$(BIN)/python -m tests.campaigns.worlds
	$(BIN)/python -m tests.campaigns.simulation --seed $(SEED) --worlds $(WORLDS)
	$(BIN)/python -m tests.campaigns.power_cuts
	$(BIN)/python -m tests.campaigns.soak --hours 0.17
	$(BIN)/python -m tests.campaigns.mutants --sample 200

slowest: setup ## run the tests, print where the time goes, and write it into CONTRIBUTING.md
	$(BIN)/python -m pytest -q $(PARALLEL) --slowest

lint: setup ## check the code with ruff
	$(BIN)/ruff check --quiet .

types: setup ## check the types with mypy --strict, and the pages' scripts with TypeScript and Biome
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory scripts; else \
		echo "the pages' scripts weren't checked: that needs npm, which isn't installed"; \
		echo "To check them, type: sudo apt-get install --no-install-recommends npm"; [ "$$REQUIRE_PROGRAMS" != 1 ]; fi
	$(BIN)/mypy

scripts: openapi $(NODE)/.ready
	$(NODE)/node_modules/.bin/tsc
	$(NODE)/node_modules/.bin/biome lint --error-on-warnings

layers: setup ## check which package may import which (docs/design.md)
	$(BIN)/lint-imports --no-logo

clauses: setup ## print which tests cover each rule clause; fail if one has none
	$(BIN)/python -m tests.clauses

prose: setup ## check English, spelling, names and commit subjects
	$(BIN)/python -m tests.docs.prose
	$(BIN)/codespell
	$(BIN)/python -m tests.layout.names
	$(BIN)/python -m tests.layout.commits

# no --quiet: it drops the warnings that --strict counts
docs: setup ## build the documentation site in build/site, and fail on a broken link
	$(BIN)/properdocs build --strict
	@echo "open build/site/index.html"

web: setup ## slow: open every page in a browser, in both themes and at three widths
	$(BIN)/python -m pytest -q $(PARALLEL) -m "slow or not slow" tests/web

cov: setup ## measure coverage; domain/ without its store, and replay/, must have 100 % of their branches
	$(BIN)/python -m pytest -q $(PARALLEL) --cov --cov-report=
	$(BIN)/coverage report --include='domain/store/**,projections/*,api/*'
	$(BIN)/coverage report $(CORE_COVERAGE) --fail-under=100

dist: runtime ## build the wheel and the source archive in dist, with the pinned requirements and checksums
	rm -rf dist
	$(BIN)/hatchling build -d dist
	cp requirements.txt dist
	cd dist && sha256sum -- * > SHA256SUMS && cat SHA256SUMS

demo: runtime ## play a whole game of each variant with bots over HTTP, replay one hand and audit them all
	$(BIN)/trickbook demo

games: setup ## slow: play hundreds of whole games, with every number of players and goal, on both stores
	$(BIN)/python -m pytest -q $(PARALLEL) --stores both -m slow

tamper: setup ## slow: try every kind of tampering, and change 20,000 single bytes of a store and of exports
	$(BIN)/python -m pytest -q $(PARALLEL) -m "slow or not slow" tests/campaigns/tamper
	$(BIN)/python -m tests.campaigns.tamper

agreement: setup ## slow: let all verifiers judge 10,000 random games, 400 forgeries, and each cut of the stored files
	$(BIN)/python -m tests.campaigns.agreement

rulebooks: setup ## slow: 20 games of each preset and number of players, and 5,000 random rulebooks, read by all verifiers
	$(BIN)/python -m tests.campaigns.house_rules

fuzz: setup ## slow: send 40,000 fuzzed requests and 10,000 cases of fuzzed bytes to a real server
	$(BIN)/python -m tests.campaigns.fuzz

worlds: setup ## slow: compare 10,000 worlds that differ in what a viewer may not know, byte for byte
	$(BIN)/python -m tests.campaigns.worlds

simulate: setup ## slow: run 1,000 worlds of clients, two servers and faults, from a seed: SEED=1 WORLDS=1000
	$(BIN)/python -m tests.campaigns.simulation --seed $(SEED) --worlds $(WORLDS)

kills: setup ## slow: kill processes of the server and of PostgreSQL 90 times, and one of two nodes for ten minutes
	$(BIN)/python -m tests.campaigns.kills
	$(BIN)/python -m tests.campaigns.two_nodes

soak: setup ## slow: two nodes for hours with kills; memory, descriptors, WAL, lag and latency in build/soak: HOURS=1
	$(BIN)/python -m tests.campaigns.soak --hours $(HOURS)

cluster: setup ## slow: kill primaries, hang nodes and move shards of PostgreSQL under Patroni; needs etcd
	$(BIN)/python -m tests.campaigns.cluster

clocks: setup ## slow: let clocks of servers jump by days, hours and decades for ten minutes on each store, beside all kinds of work
	$(BIN)/python -m tests.campaigns.clock_jumps

powercuts: setup ## slow: build 5,000 disks as they may be after a power cut on SQLite, and open each
	$(BIN)/python -m tests.campaigns.power_cuts

bench: setup ## slow: measure the figures of bench/results.md
	$(BIN)/python -m bench

mutants: setup ## slow: change the program bit by bit; a test must fail each time. A part: SAMPLE=40
	$(BIN)/python -m tests.campaigns.mutants $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(MUTANTS_SEED),--seed $(MUTANTS_SEED))

events: setup ## write docs/events.md from the facts
	$(BIN)/python -m tests.generators.events_page

attacks: setup ## write docs/security.md from the attacks, their tests, and the answers to each kind of caller
	$(BIN)/python -m tests.generators.attacks_page

examples: setup ## record the examples of the description from real responses
	$(BIN)/python -m tests.openapi.walk

openapi: setup ## write the description of the interface, and its types in TypeScript, to build
	$(BIN)/python -m tests.openapi

contract: setup ## slow: send random requests to every route, read streams; responses are as described
	$(BIN)/python -m pytest -q $(PARALLEL) -m "slow or not slow" tests/openapi/test_random_requests.py

pictures: setup ## draw the pictures of docs/images: what the commands print, what bench.server.metrics recorded, each page; and the icons
	$(BIN)/python -m tests.generators.pictures
	$(BIN)/python -m tests.web.pictures
	$(BIN)/python -m tests.web.icons

format: setup ## let ruff fix what it can
	$(BIN)/ruff check --quiet --fix .

lock: ## pin the requirements again (needs uv and npm): UV=uv
	$(COMPILE) --upgrade pyproject.toml -o requirements.txt
	$(COMPILE) --upgrade pyproject.toml --group dev -c requirements.txt -o requirements-dev.txt
	$(COMPILE) --group build -c requirements-dev.txt -o requirements-build.txt
	echo 'patroni[etcd3,psycopg3]' | $(COMPILE) - -c requirements-dev.txt -o docs/deploy/cluster/requirements.txt
	npm install --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund

clean: ## remove everything that make created; games in data/ stay
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage htmlcov
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +
