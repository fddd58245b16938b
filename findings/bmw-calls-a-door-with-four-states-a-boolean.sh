#!/usr/bin/env bash
# Expected: A field that a maker lists as a boolean in its catalog of telematic data is true or false.
# Instead: 19 of BMW's 61 booleans have three values or more: a door is OPEN, CLOSED, INVALID or UNKNOWN, the hood
#   CLOSED, OPEN or INVALID, and an engine ASN_isFalse, ASN_isTrue or ASN_isUnknown. Doors name open first, the hood and
#   the trunk closed.
# Version: the catalog as packed in iobroker.bmw 5.0.2, 29 November 2026.
# Matters because: Code that is made from the catalog, or reads any text as true, takes a door of which the car knows
#   nothing, or one that is closed, for an open one. Owners of cars get these data by VIN, under the EU Data Act.
# Source: BMW's catalog of telematic data (CarData).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iobroker.bmw@5.0.2 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const catalog = require('iobroker.bmw/telematic.json');
const booleans = catalog.filter(({ data_type: type }) => type === 'boolean');
const odd = booleans.filter(({ typical_value_range: values }) => Array.isArray(values) && values.length > 2);
console.log('iobroker.bmw %s: %d booleans, %d with more than two values', require('iobroker.bmw/package.json').version, booleans.length, odd.length);
const values = (name) => odd.find(({ technical_identifier: id }) => id === name)?.typical_value_range.join(', ');
const shown = ['vehicle.cabin.door.row1.driver.isOpen', 'vehicle.body.hood.isOpen', 'vehicle.body.trunk.isOpen', 'vehicle.drivetrain.engine.isActive'].map((name) => {
  console.log('%s: %s', name, values(name));
  return values(name);
});
if (odd.length !== 19 || booleans.length !== 61 || shown.join(' | ') !== 'OPEN, CLOSED, INVALID, UNKNOWN | CLOSED, OPEN, INVALID | CLOSED, OPEN, INVALID | ASN_isFalse, ASN_isTrue, ASN_isUnknown') process.exit(1);
EOF
node run.cjs
