#!/usr/bin/env bash
# Expected: A reader of tables keeps the names of models: Saab's 9-3 and 9-5 are text.
# Instead: SheetJS, reading CSV with its default settings, makes them 3 and 5 September 2001, and of 99 and 900, which Saab built
#   before, numbers. csv-parse, told to cast dates, does the same and goes further: a Mazda MX-5 is 1 May 2001 and an MX-3 1 March,
#   an Audi written Q 7 a day in July, and a compression ratio of 9.5:1 one minute past five. A CX-30 is left alone.
# Version: xlsx 0.18.5 and csv-parse 7.0.3, 30 November 2026.
# Matters because: The column holds days beside names, most cars are right, and the name cannot be had back from a date that is
#   written in another form. Read such columns as text (raw: true in SheetJS; no cast_date in csv-parse).
# Source: The names that the makers give these cars.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts xlsx@0.18.5 csv-parse@7.0.3 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const XLSX = require('xlsx');
const { parse } = require('csv-parse/sync');
const NAMES = ['9-3', '9-5', '900', 'MX-3', 'MX-5', 'CX-30', 'Q 7', 'Q 8', '9.5:1', 'Golf'];
const { Sheets, SheetNames } = XLSX.read(`model\n${NAMES.join('\n')}`, { type: 'string', cellDates: true });
const records = parse(NAMES.join('\n'), { cast: true, cast_date: true });
const show = (value) => (value instanceof Date ? value.toISOString().slice(0, 16) : typeof value);
const seen = {};
for (const [index, name] of NAMES.entries()) {
  const cell = Sheets[SheetNames[0]][`A${index + 2}`];
  seen[name] = [show(cell.v), show(records[index][0])];
  console.log('%s: SheetJS %s, csv-parse %s', name, ...seen[name]);
}
const raw = XLSX.read(`model\n${NAMES.join('\n')}`, { type: 'string', raw: true });
const texts = NAMES.every((name, index) => raw.Sheets[raw.SheetNames[0]][`A${index + 2}`].v === name);
const days = [...seen['9-3'], ...seen['9-5']].map((day) => day.slice(0, 10)).join();
console.log('SheetJS with raw: all as they were: %s', texts);
process.exit(days === '2001-09-03,2001-09-03,2001-09-05,2001-09-05' && seen['MX-5'].join().startsWith('string,2001-05-01') && texts ? 0 : 1);
EOF
TZ=UTC node run.cjs
