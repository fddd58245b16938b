#!/usr/bin/env bash
# Expected: A program that draws Code 39 for a VIN draws seventeen characters. The check character (modulo 43) is
#   optional, and most labels on vehicles have none.
# Instead: GNU barcode adds it unless it is told -c: a reader gets 1HGCM82633A004352S. For a trailer's VIN of digits,
#   interleaved 2 of 5 gets a digit more, too. The text below the bars shows seventeen characters.
# Version: barcode 0.99-6 of Debian 12, drawn by @resvg/resvg-js 2.6.2, read by zxing-wasm 3.1.4, 29 November 2026.
# Matters because: The label looks right to a person, and each scan is one character too long; most readers cannot tell
#   the check character from a part of the VIN.
# Source: ISO/IEC 16388, annex A: the check character of Code 39 is optional.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only -o Dir::Cache::archives="$folder/packages" barcode=0.99-6 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @resvg/resvg-js@2.6.2 zxing-wasm@3.1.4 >> npm.log 2>&1
draw() { PAPERSIZE=a4 LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu usr/bin/barcode -S -o "$1.svg" "${@:2}"; }
draw usual -b 1HGCM82633A004352 -e 39
draw without -b 1HGCM82633A004352 -e 39 -c
draw trailer -b 17812345678901234 -e i25
cat > run.mjs <<'EOF'
import { readFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/full';
const wasm = readFileSync('node_modules/zxing-wasm/dist/full/zxing_full.wasm');
prepareZXingModule({ overrides: { wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) } });
const answers = [];
for (const name of ['usual', 'without', 'trailer']) {
  const picture = new Resvg(readFileSync(`${name}.svg`, 'utf8'), { fitTo: { mode: 'zoom', value: 4 }, background: 'white' }).render().asPng();
  const [found] = await readBarcodes(new Blob([picture]));
  console.log('%s: %s, %s (%d characters)', name, found.format, found.text, found.text.length);
  answers.push(found.text);
}
if (answers.join() !== '1HGCM82633A004352S,1HGCM82633A004352,178123456789012349') process.exit(1);
EOF
node run.mjs
