#!/usr/bin/env bash
# Writes constraints.txt: the newest versions that work together, as installed for the tests.
# Usage: tools/constraints.sh PYTHON      Use the oldest Python: what it can have, newer ones can.
set -eu
venv=$(mktemp -d)
trap 'rm -rf "$venv"' EXIT
"$1" -m venv "$venv"
# TensorFlow needs setuptools; the one a venv of 3.11 brings does not work on newer Pythons.
"$venv/bin/python" -m pip install -qq --disable-pip-version-check --upgrade \
  setuptools wheel ".[cpu,lab,test,bench,docs,hub]"
versions=$("$venv/bin/python" -m pip freeze --all --exclude pip --exclude labkit)
if grep -E '@|/|^-' <<<"$versions"; then
  echo "These were installed from an address and cannot be pinned; install them by name." >&2
  exit 1
fi
{
  echo "# Written by \`make constraints\`; the exact versions that CI tests with."
  # Both builds of TensorFlow have the same versions; macOS and GPUs take the one without -cpu.
  { echo "$versions"; sed -n 's/^tensorflow[-_]cpu==/tensorflow==/p' <<<"$versions"; } | sort -f
} >constraints.txt
echo "Wrote constraints.txt with $(grep -c == constraints.txt) versions."
