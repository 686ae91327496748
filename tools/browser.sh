#!/usr/bin/env bash
# Makes sure that the browser tests find a Chromium: looks for one, installs Debian's where it may.
set -u
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  command -v "$name" >/dev/null && exit 0
done
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  echo "Installing Chromium for the browser tests."
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update && apt-get -qq install -y --no-install-recommends \
    chromium fonts-liberation </dev/null >/dev/null
  command -v chromium >/dev/null && exit 0
fi
echo "No Chromium found, so the browser tests are skipped;" \
  "install chromium with your package manager to run them."
