#!/usr/bin/env bash
# Expected: A column of different strings is stored as strings (Utf8).
# Instead: tableFromArrays and vectorFromArray make Dictionary<Int32, Utf8> of each array of strings: 100,000
#   different VINs get a dictionary of 100,000 entries and an index of 400 kB more, and readers see a category instead
#   of text.
# Version: apache-arrow 21.2.0, 28 November 2026.
# Matters because: The file is a fifth larger than with Utf8, and a VIN, which no two rows share, arrives elsewhere as
#   a categorical value. Passing new Utf8() avoids it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts apache-arrow@21.2.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { tableFromArrays, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
const vins = Array.from({ length: 100_000 }, (_, index) => `1HGCM82633A${String(index).padStart(6, '0')}`);
const usual = tableFromArrays({ vin: vins });
const asText = tableFromArrays({ vin: vectorFromArray(vins, new Utf8()) });
const entries = usual.getChild('vin').data[0].dictionary.length;
console.log('Arrow stores 100,000 different VINs as %s with %d entries: %d bytes; as Utf8 %d bytes', usual.schema.fields[0].type, entries, tableToIPC(usual).byteLength, tableToIPC(asText).byteLength);
if (!String(usual.schema.fields[0].type).startsWith('Dictionary') || entries !== 100_000 || tableToIPC(usual).byteLength < 1.15 * tableToIPC(asText).byteLength) process.exit(1);
EOF
node run.mjs
