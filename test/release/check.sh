#!/usr/bin/env bash
# Packs the product, installs the tarball from the registry's packages as a stranger would, and tries it. Publishes nothing.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT

cd "$root"
tarball=$(npm pack --silent --pack-destination "$project" | tail -1)
version=$(node -p 'require("./package.json").version')
cd "$project"
npm init --yes >/dev/null
npm install --no-audit --no-fund --ignore-scripts "./$tarball"

expect() {
  local wanted=$1
  shift
  local got
  got=$("$@")
  [[ "$got" == *"$wanted"* ]] || { echo "FAILED: $* printed: $got"; exit 1; }
  echo "ok: $*"
}
expect "$version" npx --no-install plumbline --version
expect 51,148.37 npx --no-install plumbline demo --once
expect 51,148.37 npx --no-install plumbline --demo mrr --at 2026-11-20
expect 'create role' npx --no-install plumbline grants --dialect postgres --user plumbline_reader
expect function node --input-type=module --eval "import('plumbline').then(({ composeEngine }) => console.log(typeof composeEngine))"
echo "tarball: $(du -k "$tarball" | cut -f1) kB; installed: $(du -sm node_modules | cut -f1) MB in $(npm ls --all --parseable | tail -n +2 | wc -l) packages"
