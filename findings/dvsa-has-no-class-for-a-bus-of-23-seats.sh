#!/usr/bin/env bash
# Expected: The classes that a register has for buses by their seats leave no number of seats out.
# Instead: The schemas of Great Britain's Driver and Vehicle Standards Agency have two classes for buses, up to 22 seats
#   and more than 23 seats, and one of them is required. A bus with 23 seats has no class that is true of it.
# Version: @dvsa/cvs-type-definitions 17.1.0, 29 November 2026, by the agency's own validator.
# Matters because: These are the schemas of the technical records, by VIN, of all buses that the agency tests. Who maps
#   seats to a class decides for 23 on their own, and programs of two authors differ.
# Source: The enumeration in the package, whose names are SMALL_PSV and LARGE_PSV.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @dvsa/cvs-type-definitions@17.1.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { isValidObject } = require('@dvsa/cvs-type-definitions/schema-validator');
const schema = 'v3/tech-record/put/psv/skeleton/index.json';
const { properties, required } = require(`@dvsa/cvs-type-definitions/json-schemas/${schema}`);
const field = 'techRecord_vehicleClass_description';
const bus = { vin: 'SFD00000000000000', techRecord_vehicleType: 'psv', techRecord_statusCode: 'current', techRecord_reasonForCreation: 'new', techRecord_bodyMake: 'ADL', techRecord_bodyType_description: 'single decker', techRecord_brakes_dtpNumber: '1', techRecord_chassisMake: 'ADL', techRecord_chassisModel: 'DART', techRecord_seatsLowerDeck: 23 };
const classes = properties[field].enum;
const fits = (seats) => classes.filter((name) => {
  const [, sign, limit] = name.match(/(less than or equal to|greater than) (\d+)/);
  return sign === 'greater than' ? seats > limit : seats <= limit;
});
console.log('@dvsa/cvs-type-definitions 17.1.0, classes of buses: %s', classes.join('; '));
const without = isValidObject(schema, { ...bus }, false);
const other = isValidObject(schema, { ...bus, [field]: 'psv with 23 seats' }, false);
const each = classes.map((name) => isValidObject(schema, { ...bus, [field]: name }, false));
for (const seats of [22, 23, 24]) console.log('%d seats: %s', seats, fits(seats).join() || 'none');
console.log('a record of 23 seats is valid without a class: %s, with one of its own: %s, with either of the two: %s', without, other, each.join());
if (without || other || each.join() !== 'true,true' || !required.includes(field) || [22, 23, 24].map((seats) => fits(seats).length).join() !== '1,0,1') process.exit(1);
EOF
node run.cjs
