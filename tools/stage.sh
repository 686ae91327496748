# For the scripts that run checks: each stage is timed, goes on after a failure, and `finish` ends
# with one status for all. Sourced, not run.
failed=()
# Hundreds of processes are started, and each would compile labkit anew.
unset PYTHONDONTWRITEBYTECODE
NBVAL=(-p nbval.plugin -p tests.notebook_kernels --nbval-lax --nbval-current-env --nbval-cell-timeout=120)

stage() { # NAME COMMAND...
  local name=$1 start=$SECONDS
  shift
  echo "== $name"
  "$@" </dev/null || failed+=("$name")
  echo "== $name: $((SECONDS - start)) s"
}

notebooks() { # VENV: two at a time, for a learner has other programs running as well
  compgen -G "notebooks/*.ipynb" >/dev/null || return 0
  "$1/bin/python" -m pytest "${NBVAL[@]}" --numprocesses 2 --dist loadfile --durations 25 notebooks
}

finish() {
  if [ ${#failed[@]} -gt 0 ]; then
    printf '== FAILED after %s s:' "$SECONDS"
    printf ' [%s]' "${failed[@]}"
    echo
    exit 1
  fi
  echo "== all checks passed in $SECONDS s"
}
