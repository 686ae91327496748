#!/usr/bin/env bash
# Runs every check of the first tier, goes on after a failure, and ends with one status for all.
# Usage: tools/test.sh VENV [lint]
set -u
venv=$1 bin=$1/bin
# shellcheck source=tools/stage.sh
source "$(dirname "$0")/stage.sh"

stage "ruff check" "$bin/ruff" check .
stage "ruff format" "$bin/ruff" format --check .
stage "mypy" "$bin/mypy"
if [ "${2:-}" != lint ]; then
  # A file is tested in one process, so that its browser is started once.
  stage "pytest, two at a time" "$bin/python" -m pytest -m "not full and not alone" \
    --numprocesses 2 --dist loadfile --durations 25
  # Only their folders: to collect all tests takes half a minute.
  alone=$("$bin/python" -c 'from tests.conftest import ALONE; print(*(f"tests/{name}" for name in ALONE))')
  # shellcheck disable=SC2086  # the folders are words
  stage "pytest, one at a time" "$bin/python" -m pytest $alone -m "alone and not full" --durations 25
  stage "notebooks" notebooks "$venv"
fi
finish
