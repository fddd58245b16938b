#!/usr/bin/env bash
# Expected: A decoder of CAN messages that knows the names of values ("VAL_" in a DBC file) says of a car that sends "not
#   available" that the value is not available.
# Instead: candied draws each value into the range that the DBC file gives the signal, and looks for the name of what comes
#   out. A speed sensor that tells FF FF, "not available", is 250 km/h in a range up to 250, an unknown coolant temperature
#   210 degrees, an unknown gear the eighth. None of their names is found. rawValue is right.
# Version: candied 2.2.0, 30 November 2026.
# Matters because: Cars and trucks send such values while a controller starts or a sensor fails. A logbook has a vehicle at its
#   highest speed, and an engine that is about to boil. Ask rawValue before value.
# Source: The format of DBC files, where "VAL_" names raw values. candied's README says that the range is applied, not that
#   names are lost; python3-canmatrix of Debian 12 leaves the same values outside of their range and names the gear.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts candied@2.2.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { Can, Dbc } = require('candied');
const lines = [
  'VERSION ""', '', 'NS_ :', '', 'BS_:', '', 'BU_: CAR', '', 'BO_ 291 State: 8 CAR',
  ' SG_ Speed : 0|16@1+ (0.01,0) [0|250] "km/h" CAR',
  ' SG_ Coolant : 16|8@1+ (1,-40) [-40|210] "degC" CAR',
  ' SG_ Gear : 24|8@1+ (1,0) [0|8] "" CAR',
  '', 'VAL_ 291 Speed 65535 "not available" ;', 'VAL_ 291 Coolant 255 "not available" ;', 'VAL_ 291 Gear 0 "P" 255 "not available" ;', '',
];
const can = new Can();
can.database = new Dbc().load(lines.join('\n'));
const read = (bytes) => [...can.decode(can.createFrame(291, bytes, false)).boundSignals].map(([name, { physValue }]) => `${name} ${physValue}`).join(', ');
const known = read([10_000 & 0xff, 10_000 >> 8, 130, 0, 0, 0, 0, 0]);
const unknown = read([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
console.log('candied', require('candied/package.json').version);
console.log('sent: 100 km/h, 90 degC, gear P; read:', known);
console.log('sent: not available, three times; read:', unknown);
if (known !== 'Speed 100 km/h, Coolant 90 degC, Gear P' || unknown !== 'Speed 250 km/h, Coolant 210 degC, Gear 8') process.exit(1);
EOF
node run.cjs
