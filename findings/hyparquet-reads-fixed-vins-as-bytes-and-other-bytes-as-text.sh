#!/usr/bin/env bash
# Expected: A VIN in a Parquet column of 17 fixed bytes without a type of text, which is how ClickHouse writes
#   FixedString(17), reads like one in a column of bytes: as text in both, or as bytes in both.
# Instead: hyparquet decodes BYTE_ARRAY without a type as UTF-8 text, and gives an array of 17 numbers for
#   FIXED_LEN_BYTE_ARRAY; its option utf8 does not change that.
# Version: hyparquet 1.33.0, files by parquet-wasm 0.8.0 with apache-arrow 21.2.0, 28 November 2026.
# Matters because: A program that was tested with one export finds no VIN in the other.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts hyparquet@1.33.0 parquet-wasm@0.8.0 apache-arrow@21.2.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createRequire } from 'node:module';
import { Binary, FixedSizeBinary, makeData, Table, tableToIPC, Vector, vectorFromArray } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
const parquet = createRequire(import.meta.url)('parquet-wasm');
const bytes = new TextEncoder().encode('1HGCM82633A004352');
const fixed = new Vector([makeData({ type: new FixedSizeBinary(17), length: 1, nullCount: 0, data: bytes })]);
const read = async (vin) => {
  const file = parquet.writeParquet(parquet.Table.fromIPCStream(tableToIPC(new Table({ vin }), 'stream')));
  const [row] = await parquetReadObjects({ file: file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength), utf8: true });
  return row.vin;
};
const [open, closed] = [await read(vectorFromArray([bytes], new Binary())), await read(fixed)];
console.log('hyparquet reads the VIN in BYTE_ARRAY as %j, in FIXED_LEN_BYTE_ARRAY as %s of %d', open, closed.constructor.name, closed.length);
if (open !== '1HGCM82633A004352' || !(closed instanceof Uint8Array)) process.exit(1);
EOF
node run.mjs
