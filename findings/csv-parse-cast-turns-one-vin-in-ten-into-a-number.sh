#!/usr/bin/env bash
# Expected: A reader that casts numbers treats all VINs of one form alike: either each "twelve digits, E, four digits"
#   is a number, or none.
# Instead: With cast, csv-parse returns a number where the exponent fits a double and the text where it does not: in
#   one column, some VINs are numbers and their neighbors are not.
# Version: csv-parse 7.0.3, 28 November 2026; SheetJS 0.18.5 and exceljs 4.4.0 do the same.
# Matters because: A look at the first rows shows text. The rows that were changed are few, are valid VINs in form,
#   and cannot be restored: 464686484842E0240 has become 4.64686484842e+251.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts csv-parse@7.0.3 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { parse } from 'csv-parse/sync';
const vins = ['464686484842E0240', '464686484842E0340', '464686484842E9240', '464686484842E0040'];
const read = parse('vin\n' + vins.join('\n'), { columns: true, cast: true }).map((row) => row.vin);
console.log('csv-parse with cast gives VINs of one form two types:');
for (const [index, vin] of vins.entries()) console.log(vin, typeof read[index], String(read[index]));
if (read.map((value) => typeof value).join() !== 'number,string,string,number') process.exit(1);
EOF
node run.mjs
