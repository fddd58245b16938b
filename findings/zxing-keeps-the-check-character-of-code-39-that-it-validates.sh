#!/usr/bin/env bash
# Expected: A reader that is asked to validate the check character of Code 39 (modulo 43) takes it off, and the text
#   is the VIN.
# Instead: zxing-wasm validates it, says so in the symbology identifier (]A1), and leaves it in the text: eighteen
#   characters.
# Version: zxing-wasm 3.1.4, symbols by bwip-js 4.11.4, 28 November 2026.
# Matters because: Code 39 is the usual bar code of VIN plates, with and without this character, and with an I in
#   front on imported cars: eighteen characters can be either. The identifier ]A1 tells which end is too long.
# Source: ISO/IEC 15424: ]A1 is Code 39 with a check character that was validated and transmitted.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts zxing-wasm@3.1.4 bwip-js@4.11.4 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { readFileSync } from 'node:fs';
import bwip from 'bwip-js';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/full';
const wasm = readFileSync('node_modules/zxing-wasm/dist/full/zxing_full.wasm');
prepareZXingModule({ overrides: { wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) } });
const read = async (text, includecheck) => {
  const symbol = await bwip.toBuffer({ bcid: 'code39', text, includecheck, scale: 3, height: 12, paddingwidth: 20, paddingheight: 10, backgroundcolor: 'FFFFFF' });
  const [found] = await readBarcodes(new Blob([symbol]), { validateCode39CheckSum: includecheck });
  return `${found.symbologyIdentifier} ${found.text} (${found.text.length})`;
};
const results = [await read('1HGCM82633A004352', false), await read('1HGCM82633A004352', true), await read('I1HGCM82633A004352', false)];
console.log('zxing-wasm reads Code 39 without a check character, with one that it validates, and with an I in front:');
console.log(results.join('\n'));
if (results.join() !== ']A0 1HGCM82633A004352 (17),]A1 1HGCM82633A004352S (18),]A0 I1HGCM82633A004352 (18)') process.exit(1);
EOF
node run.mjs
