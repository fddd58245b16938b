#!/usr/bin/env bash
# Expected: The unit library of Smartcar, which gives access to the cars of many makers, converts what Smartcar's own
#   library says of a car: with the unit system imperial, fuel in gallons of the United States.
# Instead: To smartcar-unit gal, gallon and gallons are imperial gallons, a fifth larger. The American gallon is only
#   understood as usgal, usgallon and usgallons. A tank with 15 gallons holds 56.8 liters and becomes 68.2.
# Version: smartcar 10.4.0 and smartcar-unit 2.1.0, 29 November 2026. The README of smartcar-unit has it in a table.
# Matters because: Smartcar promises the fuel of cars in the United States only, so that each of its gallons is
#   American. Consumption and tank are a fifth too large with no error; miles, pounds and psi are right beside them.
# Source: the comment on fuel() in the library smartcar, which the script looks for.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts smartcar@10.4.0 smartcar-unit@2.1.0 >> npm.log 2>&1
echo 'smartcar 10.4.0 on fuel():'
grep -A 1 'amountRemaining - The amount of fuel' node_modules/smartcar/lib/vehicle.js
grep -q 'liters or gallons (US))' node_modules/smartcar/lib/vehicle.js
cat > run.cjs <<'EOF'
const unit = require('smartcar-unit');
const tank = Object.fromEntries(['gallons', 'gal', 'usgallons'].map((name) => [name, unit(15, name).as('liters', 1)]));
for (const [name, liters] of Object.entries(tank)) console.log('smartcar-unit 2.1.0: 15 %s are %s liters', name, liters);
const others = [unit(100, 'miles').as('kilometers', 1), unit(100, 'pounds').as('kilograms', 1), unit(35, 'psi').as('kilopascals', 1)];
console.log('100 miles, 100 pounds and 35 psi are %s kilometers, %s kilograms and %s kilopascals', ...others);
process.exit(Object.values(tank).join() === '68.2,68.2,56.8' && others[0] === 160.9 ? 0 : 1);
EOF
node run.cjs
