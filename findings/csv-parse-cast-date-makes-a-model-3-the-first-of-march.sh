#!/usr/bin/env bash
# Expected: A reader that casts dates takes dates for dates, and leaves a column of models as it is.
# Instead: With cast_date, csv-parse hands each cell to the parser of JavaScript, which skips words in front of a number:
#   Model 3 is 1 March 2001, Golf 7 is in July, a Saab 9-5 is 5 September 2001 and an F-150 the year 150. Model S and
#   Golf 13 stay.
# Version: csv-parse 7.0.3, 29 November 2026; SheetJS 0.18.5 makes dates of 9-3 and 9-5 alone.
# Matters because: The date of registration in the next column makes people turn it on, and a column of models then holds
#   dates and texts. Cast the columns that are dates by their names.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts csv-parse@7.0.3 xlsx@0.18.5 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { parse } from 'csv-parse/sync';
import { read } from 'xlsx';
const models = ['Model 3', 'Model S', 'Golf 7', 'Golf 13', 'Mazda CX-5', '9-3', '9-5', 'F-150', 'Ram 1500', 'e-tron'];
const isDate = parse(models.join('\n'), { cast: true, cast_date: true }).map(([value]) => value instanceof Date && value);
for (const [index, model] of models.entries()) console.log('csv-parse reads %s as %s', model, isDate[index] ? isDate[index].toLocaleDateString('en-GB', { dateStyle: 'long' }) : 'text');
const sheet = read(`model\n${models.join('\n')}`, { type: 'string' }).Sheets.Sheet1;
const dates = models.filter((_, index) => sheet[`A${index + 2}`].t !== 's');
console.log('SheetJS makes dates of %s', dates.join(', '));
if (models.filter((_, index) => isDate[index]).join() !== 'Model 3,Golf 7,Mazda CX-5,9-3,9-5,F-150,Ram 1500' || dates.join() !== '9-3,9-5') process.exit(1);
EOF
node run.mjs
