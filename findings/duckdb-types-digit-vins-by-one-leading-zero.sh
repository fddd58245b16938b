#!/usr/bin/env bash
# Expected: Two files of VINs that consist of digits alone get the same type, whatever their order or first
#   characters.
# Instead: DuckDB reads such a column as BIGINT, and as VARCHAR as soon as one VIN in it begins with 0. The same table
#   has another type from one export to the next.
# Version: @duckdb/node-api 1.5.6-r.1, 28 November 2026.
# Matters because: A column of VINs that happened to be digits in the first export breaks a view, a union or a Parquet
#   schema with the next one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @duckdb/node-api@1.5.6-r.1 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { writeFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
writeFileSync('monday.csv', 'vin,plate\n40000198006494205,A\n45006678008198463,B\n');
writeFileSync('tuesday.csv', 'vin,plate\n40000198006494205,A\n05006678008198463,B\n');
const connection = await (await DuckDBInstance.create()).connect();
const typeOf = async (file) => (await connection.runAndReadAll(`SELECT typeof(any_value(vin)) FROM read_csv('${file}')`)).getRowsJS()[0][0];
const types = [await typeOf('monday.csv'), await typeOf('tuesday.csv')];
console.log('DuckDB types VINs of digits by one leading zero: without it %s, with it %s', ...types);
if (types.join() !== 'BIGINT,VARCHAR') process.exit(1);
EOF
node run.mjs
