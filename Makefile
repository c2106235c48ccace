# Two targets are all a newcomer needs: `make demo` and `make test`. `make help` lists the rest.

PYTHON ?= python3
VENV ?= .venv
JOBS ?= auto
PYTHONS ?= $(PYTHON)
# One CMake tree per environment: a tree remembers the paths of the tools that made it.
BUILD ?= build/$(notdir $(abspath $(VENV)))

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
EDITABLE := $(PIP) --no-build-isolation --config-settings build-dir=$(BUILD)/editable \
            --config-settings cmake.define.NONET_WERROR=ON \
            --config-settings cmake.define.NONET_TESTS=ON --editable
BUILD_TOOLS := scikit-build-core nanobind cmake ninja

NATIVE := CMakeLists.txt $(shell find cpp -name '*.[ch]pp' 2>/dev/null)
PACKAGE := $(shell find src -name '*.py' 2>/dev/null)
CPP_FILES = $(shell find cpp -name '*.[ch]pp')
PYTHON_FOLDERS := src tests examples benchmarks docs tools

# Images of containers often forbid bytecode; tests start hundreds of processes, each of which would
# compile the whole package and the tests again.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo demo-dask setup test cpptest slow sklearn sklearnseeds fuzz fuzzbytes build lint types layers docs page bench sanitize portability \
        wheel wheels size check check-all format clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# make shows each command before it runs it; the last line is the path of the page.
DEMO := build/demo
demo: $(VENV)/.demo  ## make the environment, install nonet, and take a table to a model and a report
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	$(BIN)/nonet fit examples/data/penguins.csv --target sex --time none --max-tasks 40 --out $(DEMO)/penguins.run
	$(BIN)/nonet predict $(DEMO)/penguins.run examples/data/penguins_unsexed.csv --proba
	$(BIN)/nonet report $(DEMO)/penguins.run

demo-dask: $(VENV)/.demo-dask  ## fit a booster on a cluster of two processes, one of which is killed
	$(BIN)/python examples/dask_demo.py

setup: $(VENV)/.peers  ## the environment of `make check`: tools, and the peers of tests and benchmarks

# Stealing keeps the tests of a file on one worker, with the fixtures that they share.
test: $(VENV)/.dev cpptest  ## the whole test suite, in the same environment
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(PYTEST_OPTIONS)

# In the CMake tree of the editable install, whose objects of the core the tests are linked with.
cpptest: $(VENV)/.dev  ## the tests of the C++ core, without Python
	PATH="$(abspath $(BIN)):$$PATH" cmake --build $(BUILD)/editable --target nonet_core_tests
	PATH="$(abspath $(BIN)):$$PATH" ctest --test-dir $(BUILD)/editable --output-on-failure --no-tests=error

slow: $(VENV)/.dev  ## the theorem-size tests that `make test` leaves out
	$(BIN)/python -m pytest -n $(JOBS) -m slow

sklearn: $(VENV)/.dev  ## scikit-learn's own tests, with our classes in place of theirs
	OPENBLAS_NUM_THREADS=1 $(BIN)/python tests/sklearn_suite -n $(JOBS)

fuzz: $(VENV)/.dev fuzzbytes  ## more odd inputs for every estimator, and more damaged model files
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n $(JOBS) -m "slow or not slow" tests/fuzz \
	  tests/persist/test_file_fuzz.py

# In the CMake tree of `sanitize`. A reader that allocates by what bytes claim ends at the limit.
BYTES_INPUTS ?= 1000000
fuzzbytes: $(VENV)/.tools  ## a million mutated inputs for the byte readers of trees, under ASan
	$(call sanitized_build,address$(comma)undefined,nonet_bytes_fuzz)
	ASAN_OPTIONS=max_allocation_size_mb=64:hard_rss_limit_mb=1024 \
	  $(BUILD)/sanitize-address-undefined/cpp/tests/nonet_bytes_fuzz $(BYTES_INPUTS)

sklearnseeds: $(VENV)/.dev  ## the same for ten seeds and for single precision
	OPENBLAS_NUM_THREADS=1 SKLEARN_TESTS_GLOBAL_RANDOM_SEED=0-9 SKLEARN_RUN_FLOAT32_TESTS=1 \
	  $(BIN)/python tests/sklearn_suite -n $(JOBS)

build: $(VENV)/.tools  ## rebuild the compiled core into the environment
	$(EDITABLE) .

lint: $(VENV)/.dev  ## ruff, clang-format and the words of the field, changing nothing
	$(BIN)/ruff check $(PYTHON_FOLDERS)
	$(BIN)/ruff format --check $(PYTHON_FOLDERS)
	$(BIN)/clang-format --dry-run -Werror $(CPP_FILES)
	$(BIN)/python tools/words.py

format: $(VENV)/.dev  ## let ruff and clang-format rewrite what lint would refuse
	$(BIN)/ruff check --fix $(PYTHON_FOLDERS)
	$(BIN)/ruff format $(PYTHON_FOLDERS)
	$(BIN)/clang-format -i $(CPP_FILES)

types: $(VENV)/.dev  ## mypy, strict, on src
	$(BIN)/mypy

layers: $(VENV)/.dev  ## who may import whom
	$(BIN)/lint-imports

docs: $(VENV)/.docs  ## the site, with every example run, in docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html

# One browser per process. Without one, the checks are skipped, and the last lines name what to install.
page: $(VENV)/.dev  ## the page of a report in a real browser, if there is one
	$(BIN)/python -m pytest tests/report/browser/check_page.py -q -n 0 -rs

# Some scripts need real tables: without DATA they show only that they run.
bench: $(VENV)/.peers  ## all benchmarks against their peers; DATA=folder adds real tables
	@set -e; for script in benchmarks/bench_*.py; do echo "== $$script"; words=""; \
	if grep -q read_options_with_folder $$script; then words="$(or $(DATA),--quick)"; fi; \
	$(BIN)/python $$script $$words; done

sanitize: $(VENV)/.tools  ## the core's own tests under ASan with UBSan, then under TSan
	$(call sanitized,address$(comma)undefined)
	$(call sanitized,thread)

portability: $(VENV)/.tools  ## the core by clang, for aarch64, macOS and Windows, as far as tools are here
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python tools/portability.py $(BUILD)/portability

wheel: $(VENV)/.made  ## a wheel for this machine, in dist/
	$(BIN)/python -m pip wheel --disable-pip-version-check --no-deps --wheel-dir dist .

size: $(VENV)/.dev  ## time of `import nonet`, and bytes of a wheel
	rm -rf $(BUILD)/size && $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
	  --wheel-dir $(BUILD)/size .
	$(BIN)/python benchmarks/bench_import.py --wheel $(BUILD)/size/*.whl

wheels:  ## a wheel for each of PYTHONS, installed alone and tested; PYTHONS="python3.11 python3.12"
	@set -e; for python in $(PYTHONS); do .ci/try-wheel $$python $(BUILD)/wheels; done

# The parts of both are the lines of .ci/budgets.
check:  ## all that CI runs, with the seconds of each part
	.ci/check check VENV=$(VENV) BUILD=$(BUILD) PYTHON=$(PYTHON) JOBS=$(JOBS)

check-all:  ## and what takes longer: sanitizers, slow tests, the site, fuzz, sizes
	.ci/check check-all VENV=$(VENV) BUILD=$(BUILD) PYTHON=$(PYTHON) JOBS=$(JOBS)

clean:  ## forget builds, caches and the environment
	rm -rf $(VENV) build dist docs/_build docs/api/generated docs/gallery
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests examples benchmarks -name __pycache__ -prune -exec rm -rf {} +

comma := ,
# Instrumented code causes warnings that are false (GCC 13 in path_terms.cpp): they are errors in all other builds.
define sanitized_build
	PATH="$(abspath $(BIN)):$$PATH" cmake -S . -B $(BUILD)/sanitize-$(subst $(comma),-,$(1)) -G Ninja \
	  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DNONET_WERROR=OFF "-DNONET_SANITIZE=$(1)"
	PATH="$(abspath $(BIN)):$$PATH" cmake --build $(BUILD)/sanitize-$(subst $(comma),-,$(1)) \
	  --parallel 2 --target $(2)
endef
define sanitized
	$(call sanitized_build,$(1),nonet_core_tests)
	PATH="$(abspath $(BIN)):$$PATH" ctest --test-dir $(BUILD)/sanitize-$(subst $(comma),-,$(1)) \
	  --output-on-failure --no-tests=error
endef

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	touch $@

# An editable install already shows every change; only without one is a copy installed.
$(VENV)/.demo: $(VENV)/.made pyproject.toml $(NATIVE) $(PACKAGE)
	if test -e $(VENV)/.dev; then $(MAKE) $(VENV)/.dev; else $(PIP) ".[app]"; fi
	touch $@

$(VENV)/.demo-dask: $(VENV)/.made pyproject.toml $(NATIVE) $(PACKAGE)
	if test -e $(VENV)/.dev; then $(MAKE) $(VENV)/.dev; else $(PIP) ".[dask]"; fi
	touch $@

$(VENV)/.tools: $(VENV)/.made
	$(PIP) $(BUILD_TOOLS)
	touch $@

$(VENV)/.dev: $(VENV)/.tools pyproject.toml $(NATIVE)
	$(EDITABLE) ".[dev]"
	touch $@

$(VENV)/.docs: $(VENV)/.dev
	$(EDITABLE) ".[dev,docs]"
	touch $@

# `bench` holds `peers`: benchmarks run as tests, too. The core compiles on all cores while packages are
# fetched and unpacked by one. Of their 13,000 files tests import a third: only these get bytecode.
$(VENV)/.peers: $(VENV)/.tools pyproject.toml $(NATIVE)
	$(BIN)/python tools/requirements.py dev bench > $(VENV)/requirements.txt
	$(PIP) --no-compile --requirement $(VENV)/requirements.txt & packages=$$!; \
	  $(EDITABLE) . --no-deps && wait $$packages
	$(BIN)/python -m pip check
	touch $(VENV)/.dev $@
