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

# What is on the path goes before what pyenv keeps aside, whatever its version.
for kept in "" "${PYENV_ROOT:-$HOME/.pyenv}/versions"; do
  for version in "${versions[@]}"; do
    for candidate in ${kept:-"python$version" python3 python}; do
      [ -z "$kept" ] || candidate=$(compgen -G "$kept/$version.*/bin/python3" | tail -n 1)
      if suits "$candidate" "$version"; then
        command -v "$candidate"
        exit 0
      fi
    done
  done
done

echo "No Python ${versions[*]} that can make a virtual environment was found: install one" \
  "(Debian, Ubuntu: apt-get install python3 python3-venv; macOS: brew install python@3.13)," \
  "or name yours with PYTHON=/path/to/python3." >&2
exit 1
