# Everything a fresh machine needs is Python 3.11, make and the package registries. The encoder is
# in packages/scrubjay-model, so `make demo` needs nothing more; tests also compare other models.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
# MkDocs' theme announces its successor at every build; what we do about it is in docs/dependencies.md.
export NO_MKDOCS_2_WARNING := 1
export SCRUBJAY_MODELS ?= $(CURDIR)/.models
# Tests start hundreds of processes; one that may not keep what it compiled takes half as much CPU again.
unexport PYTHONDONTWRITEBYTECODE
MODELS := e5-small-v2 ms-marco-MiniLM-L-12-v2
# A file is run by one worker; the order is that of tests/conftest.py.
SPREAD := --numprocesses auto --dist loadfile --no-loadscope-reorder
# What `make quick` runs, and what `make test` only samples.
QUICK  := $(addprefix tests/,codec engine goldens store/shared contract test_tidy.py)
THOROUGH := $(addprefix tests/,language/test_linear.py language/dates/test_dates_fuzz.py \
	flow/test_amplification.py contract/test_many_threads.py surface/http/test_http_contract.py \
	store/embedded/test_interrupts.py store/embedded/test_forking.py)
ROOT   := $(if $(filter 0,$(shell id -u)),,sudo)
# A package of Debian's; the mirror is asked again when it does not answer.
DEBIAN  = $(ROOT) apt-get -qq -o Acquire::Retries=3 update && $(ROOT) env DEBIAN_FRONTEND=noninteractive \
	apt-get -qq -y -o Acquire::Retries=3 install --no-install-recommends $(1)
PULLED := $(MODELS:%=$(SCRUBJAY_MODELS)/%/.complete)

# Frameworks that integrations adapt. Some pin what they need, so they have environments of their own
# over the project's: what is not in one of these is taken from there.
FRAMEWORKS := langgraph google-adk pydantic-ai-slim agent-framework-core llama-index-core openai-agents anthropic
FRAMEWORK_TESTS := $(addsuffix .py,$(addprefix test_,adk agent_framework anthropic langgraph llama_index \
	openai_agents pages pydantic_ai))
SITE = $$($(1)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

.PHONY: help env models demo test integrations quick build pooler browser typescript shots check format lint types docs site stranger publishable sbom quality soak update clean

help: ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

env: $(STAMP) ## create the virtual environment and install scrubjay into it

$(STAMP): pyproject.toml packages/scrubjay-model/pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt \
		--editable packages/scrubjay-model --editable '.[dev,model]'
	touch $@

models: $(PULLED) ## fetch the other models that tests compare, once, hash-checked

$(SCRUBJAY_MODELS)/%/.complete: | $(STAMP)
	$(BIN)/scrubjay models pull $*
	touch $@

browser: ## install the headless browser that tests of the console run in (Debian)
	command -v chromium-headless-shell || { $(call DEBIAN,chromium-headless-shell); }

typescript: build/typescript/.installed ## install the compiler that the TypeScript client is checked with

# No lock: it is one package, of the version that is named.
build/typescript/.installed: packages/scrubjay-typescript/package.json
	command -v npm || { $(call DEBIAN,npm); }
	rm -rf build/typescript && mkdir -p build/typescript
	cd build/typescript && npm install --silent --no-package-lock --no-audit --no-fund --ignore-scripts \
		typescript@$$(sed -n 's/.*"typescript": "\(.*\)".*/\1/p' $(CURDIR)/$<)
	touch $@

shots: $(STAMP) browser ## renew the pictures of the console in docs/console
	mkdir -p docs/console
	SHOTS=docs/console $(BIN)/python -m pytest -q tests/surface/console/test_browser_looks.py

demo: $(STAMP) ## tell a story, ask it questions, show who found what
	$(BIN)/scrubjay demo
	$(BIN)/scrubjay demo --presets

test: $(STAMP) models ## the whole suite, a file per worker at a time
	$(BIN)/python -m pytest -q $(SPREAD) --durations 20

integrations: build/frameworks/.installed build/hermes/.installed ## every integration against its framework
	SCRUBJAY_FRAMEWORKS="$(FRAMEWORK_TESTS)" build/frameworks/bin/python -m pytest -q \
		tests/integrations/frameworks
	# Hermes has packages of the names that folders here have, so it is not run from here.
	cd build/hermes && SCRUBJAY_FRAMEWORKS=test_hermes.py bin/python -m pytest -q -o pythonpath= \
		-c ../../pyproject.toml ../../tests/integrations/frameworks/test_hermes.py

build/%/.installed: constraints-%.txt $(STAMP)
	rm -rf build/$* && $(PYTHON) -m venv build/$*
	echo "import site; site.addsitedir('$(call SITE,$(VENV))')" > $(call SITE,build/$*)/project.pth
	build/$*/bin/python -m pip install --quiet --no-deps --ignore-installed \
		--requirement constraints-$*.txt
	touch $@

quick: $(STAMP) ## the inner loop: units, goldens, and the contract of a store in memory (half a minute)
	$(BIN)/python -m pytest -q -x $(SPREAD) -m 'not slow and not bench' \
		-k 'not (postgres or http or embedded or threads)' $(QUICK)

format: $(STAMP) ## rewrite the code in the house style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(STAMP) ## format and lint, changing nothing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(STAMP) ## mypy --strict
	$(BIN)/mypy

docs: build/docs/.installed ## serve the docs as a site on this machine, renewed as they are written
	build/docs/bin/python -m mkdocs serve

# Strict: a link, an anchor or a page that leads nowhere is an error.
site: build/docs/.installed ## build the docs as a site into build/site
	build/docs/bin/python -m mkdocs build --strict --quiet

check: lint types test integrations site stranger ## what CI runs: format, lint, types, tests, docs

# What the tables of banks as assistants have them compare.
TRADES := --preset default,tempr,hindsight,recall5 --singles --as-called --summaries \
	--reranker none

quality: $(STAMP) models ## measure every preset on the data sets beside the checkout (about 15 minutes)
	$(BIN)/scrubjay bench quality --data ../shared/data --all-presets --singles --reranker none \
		--json bench/results/quality.json --plots bench/results/plots
	$(BIN)/scrubjay bench quality --data bench/corpus/trades $(TRADES) --json bench/results/trades.json
	$(BIN)/scrubjay bench quality --data bench/corpus/trades --split held $(TRADES) \
		--json bench/results/trades-held.json
	$(BIN)/scrubjay bench quality --data bench/corpus/lives $(TRADES) --json bench/results/lives.json
	$(BIN)/scrubjay bench quality --data bench/corpus/lives --split held $(TRADES) \
		--json bench/results/lives-held.json
	$(BIN)/scrubjay bench quality --data ../shared/data/assistants $(TRADES) --json bench/results/assistants.json

build: ## wheels and source archives into dist/
	rm -rf dist build/release && $(PYTHON) -m venv build/release
	build/release/bin/python -m pip install --quiet build
	build/release/bin/python -m build --outdir dist packages/scrubjay-model
	build/release/bin/python -m build --outdir dist .

stranger: build ## what was built, in an empty environment, on a stranger's first day
	$(PYTHON) -m tests.stranger dist

publishable: ## refuse addresses that are reserved for documentation; [project.urls] is the one place
	! grep -n '\.example' pyproject.toml

sbom: $(STAMP) ## the bill of materials of what is installed with scrubjay, as CycloneDX, into build/sbom.json
	mkdir -p build && $(BIN)/python -m tools.sbom > build/sbom.json

pooler: ## install pgbouncer, which tests put before a server (Debian)
	test -x /usr/sbin/pgbouncer || { $(call DEBIAN,pgbouncer); }

soak: $(STAMP) ## attack the embedded store, and try all that `make test` samples (about 20 minutes)
	$(BIN)/python -m tests.soak --json soak.json $(SOAK)
	SCRUBJAY_SOAK=1 $(BIN)/python -m pytest -q --numprocesses auto --dist load $(THOROUGH)

update: ## renew constraints.txt, the versions that `make env` installs
	rm -rf build/update && $(PYTHON) -m venv build/update
	build/update/bin/python -m pip install --quiet \
		--editable packages/scrubjay-model --editable '.[dev,model]'
	build/update/bin/python -m pip freeze --exclude-editable > constraints.txt
	for kind in "frameworks $(FRAMEWORKS)" "hermes hermes-agent" "docs mkdocs-material"; do \
		set -- $$kind && rm -rf build/$$1 && $(PYTHON) -m venv build/$$1 && \
		echo "import site; site.addsitedir('$(call SITE,build/update)')" \
			> $(call SITE,build/$$1)/project.pth && \
		name=$$1 && shift && build/$$name/bin/python -m pip install --quiet "$$@" && \
		build/$$name/bin/python -m pip freeze --path $(call SITE,build/$$name) \
			> constraints-$$name.txt; \
	done
	rm -rf build/update

clean: ## remove what make made, not your data
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
