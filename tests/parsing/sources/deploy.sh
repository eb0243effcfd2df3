#!/usr/bin/env bash
# Puts a release in place.
set -euo pipefail

source ./lib/common.sh
. "$HOME/.profile"

readonly TARGET=/srv/app
export RELEASE="${1:-latest}"
count=0

# Says something.
log() {
  local level=$1
  echo "[$level] $*"
}

function cleanup {
  rm -rf "$TARGET/tmp"
  log info "clean"
}

alias ll='ls -l'
trap cleanup EXIT
if [[ -d $TARGET ]]; then
  rollback "$(current_release)" | tee log.txt
fi
log info "done"
