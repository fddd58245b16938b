#!/usr/bin/env bash
# Expected: A decoder reads the model year of a new car on the day it is sold.
# Instead: vin-decode and car-vin-decoder take the later of two possible years only if it is not after the current one.
#   A car of model year 2027 (V) that is on sale in November 2026 is of 1997, and nothing else is offered. On New
#   Year's Day the answer changes to 2027.
# Version: vin-decode 0.2.0 and car-vin-decoder 1.0.1, 29 November 2026.
# Matters because: Cars of the next model year are on sale from summer: for months all new cars of a dealer are old
#   ones. Who looks for the fault in January does not find it.
# Source: 40 CFR 85.2304(a): production of a model year may begin on 2 January of the year before; 49 CFR 565.12: a
#   model year need not be a calendar year.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts vin-decode@0.2.0 car-vin-decoder@1.0.1 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { default: vinDecode } = require('vin-decode');
const { vinDecoder } = require('car-vin-decoder');
const RealDate = Date;
const decodeOn = (day, vin) => {
  globalThis.Date = class extends RealDate {
    constructor() {
      super(day);
    }
  };
  const answers = [vinDecode(vin).decode(), vinDecoder(vin).decode].map(({ year, possibleYears, posibleYear }) => `${year} (of ${[possibleYears ?? posibleYear].join()})`);
  globalThis.Date = RealDate;
  console.log('on %s vin-decode and car-vin-decoder say of %s: %s', day, vin, answers.join(' and '));
  return answers;
};
const before = decodeOn('2026-12-31T12:00:00', '5YJ3E1EA0VF123456');
const after = decodeOn('2027-01-01T12:00:00', '5YJ3E1EA0VF123456');
process.exit(before.every((answer) => answer === '1997 (of 1997)') && after.every((answer) => answer === '2027 (of 2027,1997)') ? 0 : 1);
EOS
node run.cjs
