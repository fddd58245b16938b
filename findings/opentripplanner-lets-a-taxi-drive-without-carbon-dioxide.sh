#!/usr/bin/env bash
# Expected: The comparison of trips in the interface of OpenTripPlanner counts the carbon dioxide of each vehicle that
#   OpenTripPlanner knows, or says that it has no figure for one.
# Instead: calculateEmissions counts a mode without a figure as zero. Its table has car, bus and bicycle, but not taxi,
#   carpool, coach, monorail, scooter and buses on demand (FLEX, FLEXIBLE), all modes of the schema that it comes with.
#   Ten kilometers by coach or taxi are 0 grams, by car 1620 and on foot 260.
# Version: @opentripplanner/core-utils 16.0.2, 29 November 2026; the table is the same in the source of August 2026.
# Matters because: A trip with a coach or a taxi is shown as the cleanest, and each saving beside the car as the whole. A
#   scooter has its figure under the name micromobility, which the schema does not have.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @opentripplanner/core-utils@16.0.2 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { calculateEmissions } = require('@opentripplanner/core-utils/lib/itinerary.js');
const schema = require('@opentripplanner/core-utils/lib/otpSchema.json');
const { enumValues } = schema.data.__schema.types.find(({ name }) => name === 'Mode');
const modes = Object.fromEntries(enumValues.map(({ name }) => [name, calculateEmissions({ legs: [{ mode: name, distance: 10_000 }] })]));
console.log('@opentripplanner/core-utils 16.0.2, grams of carbon dioxide for ten kilometers:');
for (const [mode, grams] of Object.entries(modes)) console.log('%s %d', mode, grams);
const none = Object.keys(modes).filter((mode) => modes[mode] === 0 && mode !== 'LEG_SWITCH');
process.exit(none.join() === 'CARPOOL,COACH,FLEX,FLEXIBLE,MONORAIL,SCOOTER,TAXI' && modes.CAR === 1620 && modes.WALK === 260 ? 0 : 1);
EOF
node run.cjs
