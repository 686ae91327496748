#!/usr/bin/env bash
# Makes sure that the stand-in graphics card can be built: looks for g++, installs Debian's where it
# may.
set -u
command -v g++ >/dev/null && exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  echo "Installing g++ for the stand-in graphics card."
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update && apt-get -qq install -y --no-install-recommends g++ </dev/null >/dev/null
  command -v g++ >/dev/null && exit 0
fi
echo "No g++ found, so the tests on a stand-in graphics card are skipped;" \
  "install g++ with your package manager to run them."
