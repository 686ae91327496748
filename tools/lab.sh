#!/usr/bin/env bash
# Opens JupyterLab on a notebook; without a screen it prints the address instead.
# Usage: tools/lab.sh VENV NOTEBOOK
set -u
# No question about news between a learner and the first cell: it would cover the panel.
options=(--LabApp.news_url=None)
settings=$1/share/jupyter/lab/settings
if [ ! -e "$settings/overrides.json" ]; then
  mkdir -p "$settings"
  printf '%s\n' '{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}' \
    >"$settings/overrides.json"
fi
[ "$(id -u)" != 0 ] || options+=(--allow-root)
if [ "$(uname)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  options+=(--no-browser)
fi
# The notebook as the default address, not as an argument: the printed address must name it too.
exec "$1/bin/python" -m jupyter lab "${options[@]}" --ServerApp.root_dir="$PWD" \
  --LabApp.default_url="/lab/tree/$2"
