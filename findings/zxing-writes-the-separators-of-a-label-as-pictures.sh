#!/usr/bin/env bash
# Expected: A Data Matrix label with fields (ISO/IEC 15434 format 06) is returned with the control characters that
#   part its fields: RS, GS and EOT.
# Instead: zxing-wasm returns a visible character for each, such as U+241D (␝) for GS: a program that splits at U+001D
#   finds one field. textMode "Plain" returns the characters, "Escaped" writes "<GS>", and bytes always has them.
# Version: zxing-wasm 3.1.4, symbols by bwip-js 4.11.4, 29 November 2026.
# Matters because: Labels of vehicles and parts put the VIN between such separators, behind the identifier I.
# Source: ISO/IEC 15434, and ANSI MH10.8.2 for the data identifier I (vehicle identification number).
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
const text = '[)>^03006^029I1HGCM82633A004352^029P12345^030^004';
const label = new Blob([await bwip.toBuffer({ bcid: 'datamatrix', text, parse: true, scale: 4, paddingwidth: 10, paddingheight: 10, backgroundcolor: 'FFFFFF' })]);
const [usual] = await readBarcodes(label);
const [plain] = await readBarcodes(label, { textMode: 'Plain' });
console.log('zxing-wasm reads', JSON.stringify(usual.text));
console.log('fields by U+001D: %d, in textMode Plain: %d', usual.text.split('\x1d').length, plain.text.split('\x1d').length);
if (!usual.text.includes('\u241dI1HGCM82633A004352\u241d') || plain.text.split('\x1d').length !== 3) process.exit(1);
EOF
node run.mjs
