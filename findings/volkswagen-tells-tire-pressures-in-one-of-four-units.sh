#!/usr/bin/env bash
# Expected: The list of fields that a maker publishes for the EU Data Act says in which unit a value comes.
# Instead: Volkswagen's has the unit "10kPA / Bar / PSI/ kPA" for all 15 fields named tyre_pressure_..., with no field
#   beside them that says which, and 0 and 1 among the pressures mean "unsupported" and "invalid". The temperature
#   outside is in tenths of a kelvin in one field and in degrees Celsius in another, and consumption is for 100 km or for
#   1,000 km.
# Version: the list as packed in iobroker.vw-connect 0.9.11, 29 November 2026.
# Matters because: 2.3 bar, 23 (10 kPa), 33 psi and 230 kPa are the same tire. A tire that has lost all but 1 bar is
#   not told from a sensor that does not answer.
# Source: Volkswagen's data dictionary for Regulation (EU) 2023/2854, delivered by VIN.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iobroker.vw-connect@0.9.11 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const fields = Object.values(require('iobroker.vw-connect/lib/euDataActDictionary.json'));
const show = (words) => {
  const found = fields.filter(({ name, unit }) => unit && words.test(name));
  const units = [...new Set(found.map(({ unit }) => unit))];
  console.log('%s: %s', words.source, units.map((unit) => `${found.filter((field) => field.unit === unit).length} in "${unit}"`).join(', '));
  return found;
};
const tires = show(/^tyre_pressure/);
const companions = fields.filter(({ name }) => /^tyre_?pressure.*unit|^tyre_unit/i.test(name));
console.log('fields that say which: %d', companions.length);
const outside = show(/^outside_?temperature/i);
const consumption = show(/consumption/i);
console.log('%s: "%s"', tires[0].name, tires[0].description);
if (tires.length !== 15 || tires.some(({ unit, description }) => unit !== '10kPA / Bar / PSI/ kPA' || !/unsupported \(0\) or invalid \(1\)/.test(description))) process.exit(1);
if (!outside.some(({ unit }) => unit === 'dK') || !outside.some(({ unit }) => /C\)$/.test(unit))) process.exit(1);
if (!consumption.some(({ unit }) => /1000km/.test(unit)) || !consumption.some(({ unit }) => /100km/.test(unit)) || companions.length > 0) process.exit(1);
EOS
node run.cjs
