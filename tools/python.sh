#!/usr/bin/env bash
# Prints the command of a Python that labkit supports, newest first, and that can make a venv.
# Usage: tools/python.sh [VERSION]...     with versions, only those count, in that order
set -u
versions=("$@")
[ ${#versions[@]} -gt 0 ] || versions=(3.13 3.12 3.11)

suits() { # COMMAND VERSION: tried out, because a version manager's stand-in may be there and fail
  "$1" -c "import sys, venv, ensurepip; sys.exit('%d.%d' % sys.version_info[:2] != '$2')" \
    >/dev/null 2>&1
}

try() { # CANDIDATE VERSION: prints it and ends the search if it suits
  suits "$1" "$2" && command -v "$1" && exit 0
}

on_path() { # VERSION
  for candidate in "python$1" python3 python; do try "$candidate" "$1"; done
}

kept_aside() { # VERSION
  try "$(compgen -G "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1.*/bin/python3" | tail -n 1)" "$1"
}

if [ $# -gt 0 ]; then
  # Who names versions wants the first that there is. Searched by place, Colab's versions were
  # tested in Python 3.11 on a machine that kept 3.13 aside.
  for version in "${versions[@]}"; do on_path "$version"; kept_aside "$version"; done
else
  # What is on the path is its owner's choice, and goes before what is kept aside.
  for version in "${versions[@]}"; do on_path "$version"; done
  for version in "${versions[@]}"; do kept_aside "$version"; done
fi

echo "No Python ${versions[*]} that can make a virtual environment was found: install one" \
  "(Debian, Ubuntu: apt-get install python3 python3-venv; macOS: brew install python@3.13)," \
  "or name yours with PYTHON=/path/to/python3." >&2
exit 1
