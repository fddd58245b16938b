#!/usr/bin/env bash
# Expected: polars reads a column of 17-digit VINs as 64-bit integers, which hold them exactly, and hands them to
#   JavaScript as BigInt or as text.
# Instead: toArray gives JavaScript numbers: digits behind the sixteenth are rounded, so that two different VINs
#   become equal, while the frame itself prints both correctly.
# Version: nodejs-polars 0.26.1, 28 November 2026.
# Matters because: The frame looks right on screen and is wrong in the program that sends the VINs on.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts nodejs-polars@0.26.1 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { writeFileSync } from 'node:fs';
import pl from 'nodejs-polars';
const vins = ['46448886802220243', '46448886802220244'];
writeFileSync('vins.csv', 'vin\n' + vins.join('\n') + '\n');
const column = pl.readCSV('vins.csv').getColumn('vin');
const printed = String(column).match(/\d{17}/g);
const values = column.toArray();
console.log('polars prints %s, and toArray gives %s %s', printed.join(' and '), values.join(' and '), typeof values[0]);
if (printed.join() !== vins.join() || values[0] !== values[1]) process.exit(1);
EOF
node run.mjs
