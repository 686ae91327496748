#!/usr/bin/env bash
# Runs every check of the first tier, goes on after a failure, and ends with one status for all.
# Usage: tools/test.sh VENV [lint|quick]
set -u
venv=$1 bin=$1/bin
# shellcheck source=tools/stage.sh
source "$(dirname "$0")/stage.sh"

stage "ruff check" "$bin/ruff" check .
stage "ruff format" "$bin/ruff" format --check .
stage "mypy" "$bin/mypy"
stage "imports between rooms" "$bin/lint-imports" --no-cache
if [ "${2:-}" = quick ]; then
  # What needs neither TensorFlow nor a browser: half a minute of waiting for either is saved.
  stage "pytest, without TensorFlow and browser" "$bin/python" -m pytest \
    tests/record tests/stats tests/diagnosis tests/show tests/course/test_*.py \
    -m "not full and not browser" --numprocesses 2 --dist loadfile --quiet
elif [ "${2:-}" != lint ]; then
  # A file is tested in one process, so that its browser is started once. Two loops timed at once do
  # disturb each other; a verdict that does not stand that would be wrong for a learner as well.
  # One run for all, in the order of collection: what takes long begins first, and no core waits.
  # TURN=all runs all that take turns (tests/conftest.py), TURN=2 those of that part.
  turn=${TURN:-$((16#$(git rev-parse --short=7 HEAD 2>/dev/null || echo 0)))}
  [ "$turn" = all ] && turns=() || turns=(--turn "$turn")
  stage "pytest and notebooks" "$bin/python" -m pytest "${NBVAL[@]}" -m "not full" "${turns[@]}" \
    --numprocesses 2 --dist loadfile --no-loadscope-reorder --durations 25 notebooks tests
fi
finish
