#!/bin/sh
# Removes from node_modules what no service reads at run time: types, sources, source maps, notes, bundles for browsers, programs for other systems.
set -eu
case "$(uname -m)" in
  x86_64) architecture=x64 ;;
  aarch64) architecture=arm64 ;;
  *) architecture=$(uname -m) ;;
esac
find . -path '*/node_modules/*' -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \
  -o -iname 'readme*' -o -iname 'changelog*' -o -name '*.tsbuildinfo' -o -name '*.flow' \) -delete
rm -rf node_modules/@types node_modules/libphonenumber-js/bundle
# Kept of ready-made binaries: those of this system, built for any version of Node.js and the GNU C library.
find . -path '*/node_modules/*/prebuilds/*' -type d -prune ! -name "linux-$architecture*" -exec rm -rf {} +
find . -path '*/node_modules/*' -type f \( -name '*musl*.node' -o -name 'node.abi*.node' \) -delete
