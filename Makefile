# make lab       starts the course       make test      sets up all it needs, then tests
# A fresh machine needs Python 3.11, 3.12 or 3.13 and nothing else. `make help` lists the rest.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help lab quick test notebooks test-full bench torture docs gallery lint sync constraints release audit clean

VENV := .venv
PY := $(VENV)/bin/python
PYTHON ?=
# The GPU build where there is a GPU; `make lab TENSORFLOW=cpu` or `=gpu` decides otherwise.
TENSORFLOW ?= $(shell command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1 && echo gpu || echo cpu)
OTHER := $(if $(filter gpu,$(TENSORFLOW)),cpu,gpu)
INSTALL := $(PY) -m pip install -qq --disable-pip-version-check -c constraints.txt

# One stamp for each set of packages: set-up is redone only when the lists below have changed.
STAMP := $(VENV)/labkit-$(TENSORFLOW)
LISTS := pyproject.toml constraints.txt

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

lab: $(STAMP)-lab ## set up if needed, then open the first notebook in JupyterLab
	@tools/lab.sh $(VENV) notebooks/00_read_the_curve.ipynb

quick: $(STAMP)-test ## lint, types and all tests without TensorFlow and browser (two minutes), for every change
	@tools/test.sh $(VENV) quick

test: $(STAMP)-test ## set up if needed, then lint, types, tests and all notebooks (20 minutes on two cores)
	@tools/browser.sh
	@tools/compiler.sh
	@tools/test.sh $(VENV)

notebooks: $(STAMP)-test ## run all notebooks as tests, two at a time (three minutes)
	@bash -c '. tools/stage.sh; stage notebooks notebooks $(VENV); finish'

test-full: $(STAMP)-test $(STAMP)-docs $(STAMP)-hub ## the same under every supported TensorFlow and Colab's versions (an hour or two)
	@tools/browser.sh
	@tools/compiler.sh
	@tools/test_full.sh $(VENV)

bench: $(STAMP)-bench ## measure the kit itself and write the tables (needs a quiet machine)
	@$(PY) -m tools.bench

torture: $(STAMP)-torture ## break things on purpose, again and again, and write docs/reliability.md (an hour or two)
	@tools/browser.sh
	@$(PY) -m tools.reliability

docs: $(STAMP)-docs ## build the site into build/docs: course, atlas, how to add a cause, API
	@rm -rf build/docs build/docs-doctrees  # a page that was not read anew warns of nothing
	@$(PY) -m sphinx -W --keep-going -q -c docs -d build/docs-doctrees . build/docs
	@echo "Open build/docs/index.html"

gallery: $(STAMP)-lab ## draw the recordings in the package anew, into docs/gallery.html
	@$(PY) -m tools.gallery

lint: $(STAMP)-test ## ruff, mypy and the import table only
	@tools/test.sh $(VENV) lint

sync: $(PY) ## write environment files, badges and set-up cells anew from pyproject.toml
	@$(PY) tools/sync_env.py
	@$(PY) -m tools.address

constraints: $(PY) ## choose the newest versions that work together and pin them for CI
	@tools/constraints.sh $(PY)

release: $(STAMP)-test ## build sdist and wheel into dist/ and check both; publishes nothing
	@$(PY) -m tools.release

audit: $(STAMP)-audit ## look for known faults in the packages, and for secrets in the files
	@$(PY) -m tools.audit

clean: ## remove what builds and tests left behind; keeps .venv and saved runs
	@rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis test-out bench-out .venv-*
	@find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

$(PY):
	@python=$(if $(PYTHON),"$(PYTHON)",$$(tools/python.sh)) || exit 1; \
	echo "Making $(VENV) with $$python"; \
	"$$python" -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# TensorFlow's two builds share one folder, so the other one must go before this one comes.
$(STAMP)-lab: $(LISTS) | $(PY)
	@echo "Installing labkit with TensorFlow ($(TENSORFLOW)); the first time takes some minutes."
	@if compgen -G "$(VENV)/labkit-$(OTHER)-*" >/dev/null; then \
	  $(PY) -m pip uninstall -qy tensorflow tensorflow-cpu && rm -f $(VENV)/labkit-$(OTHER)-*; fi
	@$(INSTALL) -e ".[$(TENSORFLOW),lab]"
	@touch $@

$(STAMP)-test: $(STAMP)-lab
	@echo "Installing what the tests need."
	@$(INSTALL) -e ".[$(TENSORFLOW),lab,test]"
	@touch $@

$(STAMP)-bench: $(STAMP)-test
	@$(INSTALL) -e ".[$(TENSORFLOW),lab,test,bench]"
	@touch $@

$(STAMP)-hub: $(STAMP)-test
	@echo "Installing a hub for a class."
	@$(INSTALL) -e ".[$(TENSORFLOW),lab,test,hub]"
	@touch $@

$(STAMP)-torture: $(STAMP)-test
	@$(INSTALL) -e ".[$(TENSORFLOW),lab,test,torture]"
	@touch $@

$(STAMP)-audit: $(STAMP)-lab
	@$(INSTALL) -e ".[$(TENSORFLOW),lab,audit]"
	@touch $@

$(STAMP)-docs: $(STAMP)-lab
	@echo "Installing what builds the site."
	@$(INSTALL) -e ".[$(TENSORFLOW),lab,docs]"
	@touch $@
