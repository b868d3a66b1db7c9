# Every target first installs what is missing (tools/setup) and is safe to repeat.
#   make            the program, build/postern, the tests, and the Python package (import postern in .venv)
#   make demo       records -> ledger -> plan -> release -> verify -> posterior, in build/demo
#   make test       all tests of one configuration
#   make test-long  fresh seeds, long calibration, many kills, long fuzzing, ThreadSanitizer over the suite, clang-tidy over all
#   make bench      build/bench.json, checked against its bars
#   make docs       the site, build/site
#   make lint       formatting, clang-tidy, ruff, mypy, layers
#   make clean      forget every build
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
JOBS ?= $(shell nproc)
PYTHON := .venv/bin/python
.PHONY: build program demo test test-long bench docs lint tidy clean setup

setup:
	@tools/setup

build/CMakeCache.txt: CMakePresets.json | setup
	cmake --preset dev

build: setup build/CMakeCache.txt
	@tools/setup --python
	@grep -q '^POSTERN_PYTHON:BOOL=ON' build/CMakeCache.txt || cmake -DPOSTERN_PYTHON=ON build
	cmake --build build --parallel $(JOBS)

program: setup build/CMakeCache.txt
	cmake --build build --parallel $(JOBS) --target postern

demo: program
	examples/demo.sh build/postern build/demo

test: build
	@tools/setup --tables
	ctest --preset dev --parallel $(JOBS)

test-long: build
	tools/setup --python --lint --tables
	POSTERN_LONG=1 POSTERN_SEED=$${POSTERN_SEED:-$$(date +%s)} ctest --preset long
	POSTERN_FUZZ_RUNS=10000000 tools/fuzz.sh
	tools/tsan.sh
	TIDY_ALL=1 tools/lint.sh tidy

bench: setup
	tools/setup --python
	cmake --preset bench
	cmake --build --preset bench --parallel $(JOBS)
	$(PYTHON) bench/run.py --build build-bench --output build/bench.json $(if $(POSTERN_DATA),--data $(POSTERN_DATA))
	$(PYTHON) bench/check.py build/bench.json

docs:
	tools/setup --docs
	tools/site/build

lint:
	tools/setup --python --lint
	tools/lint.sh

tidy:
	tools/setup --python --lint
	tools/lint.sh tidy

clean:
	rm -rf build build-*
