#!/usr/bin/env bash
# Runs the second tier: every supported TensorFlow, Colab's exact versions, plain starts, long tests.
# Usage: tools/test_full.sh VENV          Each further environment is a folder .venv-NAME.
set -u
main=$1
pins=$(mktemp -d)
trap 'rm -rf "$pins"' EXIT
# shellcheck source=tools/stage.sh
source "$(dirname "$0")/stage.sh"

environment() { # NAME PYTHON-VERSIONS PIP-ARGUMENTS...: makes .venv-NAME if its list has changed
  local folder=.venv-$1 versions=$2 python
  shift 2
  [ "$folder/labkit" -nt pyproject.toml ] && [ "$folder/labkit" -nt constraints-colab.txt ] && return
  # shellcheck disable=SC2086  # the versions are words
  python=$(tools/python.sh $versions) || return
  rm -rf "$folder"
  "$python" -m venv "$folder" && "$folder/bin/python" -m pip install -qq \
    --disable-pip-version-check "$@" && touch "$folder/labkit"
}

tests() { # VENV: units and loops; the browser does not depend on the TensorFlow beside it
  "$1/bin/python" -m pytest -m "not full and not browser"
}

in_environment() { # NAME PYTHON-VERSIONS PIP-ARGUMENTS...
  stage "set up $1" environment "$@"
  [ -e ".venv-$1/labkit" ] || return
  stage "tests, $1" tests ".venv-$1"
  stage "notebooks, $1" notebooks ".venv-$1"
}

# Nothing but TensorFlow is pinned here: the question is also whether today's packages go together.
for version in 2.19 2.20 2.21; do
  printf '%s\n' "tensorflow==$version.*" "tensorflow-cpu==$version.*" >"$pins/$version"
  pythons="3.12 3.13 3.11" # 2.21 in 3.12 is what Binder gets, and 2.19 has no build for 3.13
  [ "$version" != 2.20 ] || pythons="3.13 3.12 3.11"
  in_environment "tf$version" "$pythons" -e ".[cpu,lab,test]" -c "$pins/$version"
  mkdir -p test-out
  [ ! -e ".venv-tf$version/labkit" ] || stage "still true, tf$version" \
    ".venv-tf$version/bin/python" -m tools.still_true run "test-out/still-true-$version.json"
done
stage "table of what is still true" \
  "$main/bin/python" -m tools.still_true table test-out/still-true-*.json
in_environment colab "3.13 3.12 3.11" -e ".[test]" -c constraints-colab.txt -r constraints-colab.txt
# As a learner installs it; without a graphics card the long tests look at what labs say there.
stage "set up gpu" make -s .venv-gpu/labkit-gpu-lab VENV=.venv-gpu TENSORFLOW=gpu
export LABKIT_START=plain
stage "tests, plain starts" tests "$main"
stage "notebooks, plain starts" notebooks "$main"
unset LABKIT_START
stage "long tests" "$main/bin/python" -m pytest -m full

finish
