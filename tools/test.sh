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
  stage "pytest" "$bin/python" -m pytest
  stage "notebooks" notebooks "$venv"
fi
finish
