#!/usr/bin/env bash
# Expected: A column of 17-character VINs is read as text: no number has seventeen significant digits and an E in its
#   third place.
# Instead: DuckDB takes a column in which each VIN is "1E9" and fourteen digits for DOUBLE. Each value is Infinity, so
#   that different vehicles become one.
# Version: @duckdb/node-api 1.5.6-r.1, 28 November 2026.
# Matters because: 1E9 is the WMI of small North American makers, most of trailers; a file of one such maker loses all
#   its VINs without a message. all_varchar, or types of its own for the column, keep them.
# Source: ISO 3780 and 49 CFR 565: a 9 in position 3 is for makers of few vehicles.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @duckdb/node-api@1.5.6-r.1 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { writeFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
writeFileSync('trailers.csv', 'vin,plate\n1E902482211234501,A\n1E902482711234502,B\n1E902482211234503,C\n');
const connection = await (await DuckDBInstance.create()).connect();
const rows = async (sql) => (await connection.runAndReadAll(sql)).getRowsJS();
const read = await rows("SELECT typeof(any_value(vin)), count(*), count(DISTINCT vin), any_value(vin)::VARCHAR FROM read_csv('trailers.csv')");
const kept = await rows("SELECT count(DISTINCT vin) FROM read_csv('trailers.csv', all_varchar = true)");
console.log('DuckDB reads three VINs of small makers as one number:');
console.log('type %s, rows %s, different values %s, value %s; as text %s different', ...read[0].map(String), String(kept[0][0]));
if (read[0][0] !== 'DOUBLE' || Number(read[0][2]) !== 1 || Number(kept[0][0]) !== 3) process.exit(1);
EOF
node run.mjs
