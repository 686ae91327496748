#!/usr/bin/env bash
# Runs every check of the first tier, goes on after a failure, and ends with one status for all.
# Usage: tools/test.sh VENV [lint]
set -u
bin=$1/bin
failed=()

stage() { # NAME COMMAND...
  local name=$1 start=$SECONDS
  shift
  echo "== $name"
  "$@" </dev/null || failed+=("$name")
  echo "== $name: $((SECONDS - start)) s"
}

stage "ruff check" "$bin/ruff" check .
stage "ruff format" "$bin/ruff" format --check .
stage "mypy" "$bin/mypy"
if [ "${2:-}" != lint ]; then
  stage "pytest" "$bin/python" -m pytest
  # One after the other: two loops timed at once would disturb each other.
  if compgen -G "notebooks/*.ipynb" >/dev/null; then
    stage "notebooks" "$bin/python" -m pytest --nbval-lax --nbval-current-env \
      --nbval-cell-timeout=120 notebooks
  fi
fi

if [ ${#failed[@]} -gt 0 ]; then
  printf '== FAILED after %s s:' "$SECONDS"
  printf ' [%s]' "${failed[@]}"
  echo
  exit 1
fi
echo "== all checks passed in $SECONDS s"
