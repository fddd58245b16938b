#!/usr/bin/env bash
# Expected: In one maker's dictionary of vehicle data the numbers for units of distance mean the same in each field.
# Instead: In Volkswagen's dictionary for the EU Data Act the unit of the mileage is 0 for kilometers and 1 for miles,
#   and that of the distance to the next service is 1 for kilometers and 2 for miles. There, 0 has two names: invalid,
#   and days.
# Version: The dictionary in iobroker.vw-connect 0.9.11, 29 November 2026.
# Matters because: Owners get these fields by VIN from Volkswagen, Audi, Seat, Cupra, Skoda and Bentley. Who reads both
#   fields with one table has a service due after 15,000 miles where kilometers are meant.
# Source: The descriptions in the dictionary itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iobroker.vw-connect@0.9.11 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { loadDictionary } = require('iobroker.vw-connect/lib/euDataAct.js');
const fields = Object.values(loadDictionary());
const read = (name) => {
  const { description } = fields.find((field) => field.name === name && /\d = (km|miles)|= \d;/.test(field.description));
  const pairs = [...description.matchAll(/(\w+) = (\w+)/g)].map(([, left, right]) => (/^\d$/.test(left) ? [left, right] : [right, left]));
  console.log('%s: %s', name, pairs.map((pair) => pair.join(' is ')).join(', '));
  return pairs.map((pair) => pair.join(' ')).join(', ');
};
console.log('dictionary in iobroker.vw-connect %s', require('iobroker.vw-connect/package.json').version);
const mileage = read('mileage.unit');
const service = ['distance', 'time'].map((what) => read(`service_maintenances.[*].due_in_${what}.unit`));
if (mileage !== '0 km, 1 miles' || service.some((pairs) => pairs !== '0 UNIT_INVALID, 0 UNIT_TIME_DAY, 1 UNIT_DISTANCE_KM, 2 UNIT_DISTANCE_MILES')) process.exit(1);
EOF
node run.cjs
