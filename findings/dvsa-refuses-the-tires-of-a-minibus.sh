#!/usr/bin/env bash
# Expected: A register of buses takes each symbol of speed that tires of buses have, among them R (170 km/h) and T (190
#   km/h), which are on tires of minibuses.
# Instead: The schemas of Great Britain's Driver and Vehicle Standards Agency end at Q, 160 km/h. A record of a minibus
#   whose tires are marked R is refused. The symbols A1 to A6, for slow vehicles, are missing as well; A7 and A8 are
#   there.
# Version: @dvsa/cvs-type-definitions 17.1.0, 29 November 2026, by the agency's own validator.
# Matters because: What stands on the tire cannot be entered. It is left out or becomes Q, and a later reader of the
#   technical record, which is kept by VIN, finds tires that are too slow for the vehicle.
# Source: UN Regulation No. 54, tires of commercial vehicles: Q is 160 km/h, R is 170 km/h, T is 190 km/h.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @dvsa/cvs-type-definitions@17.1.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { isValidObject } = require('@dvsa/cvs-type-definitions/schema-validator');
const minibus = (symbol) => ({ vin: 'WF000000000000000', techRecord_vehicleType: 'psv', techRecord_statusCode: 'current', techRecord_reasonForCreation: 'new', techRecord_bodyMake: 'FORD', techRecord_bodyType_description: 'mini bus', techRecord_brakes_dtpNumber: '1', techRecord_chassisMake: 'FORD', techRecord_chassisModel: 'TRANSIT', techRecord_vehicleClass_description: 'small psv (ie: less than or equal to 22 seats)', techRecord_axles: [{ axleNumber: 1, tyres_tyreSize: '235/65 R 16', tyres_speedCategorySymbol: symbol }] });
const symbols = [...Array.from({ length: 8 }, (_, i) => `a${i + 1}`), ...'bcdefgjklmnpqrstuhvwy'];
const valid = symbols.filter((symbol) => isValidObject('v3/tech-record/put/psv/skeleton/index.json', minibus(symbol), false));
const refused = symbols.filter((symbol) => !valid.includes(symbol));
const [reason] = isValidObject('v3/tech-record/put/psv/skeleton/index.json', minibus('r'), true);
console.log('@dvsa/cvs-type-definitions 17.1.0, a minibus with tires of each symbol of speed:');
console.log('valid: %s', valid.join(' ').toUpperCase());
console.log('refused: %s', refused.join(' ').toUpperCase());
console.log('R: %s %s', reason.instancePath, reason.message);
if (valid.join(' ') !== 'a7 a8 b c d e f g j k l m n p q' || !refused.includes('r') || !refused.includes('t')) process.exit(1);
EOF
node run.cjs
