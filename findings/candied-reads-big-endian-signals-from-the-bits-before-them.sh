#!/usr/bin/env bash
# Expected: A decoder of CAN messages that reads DBC files knows that a big-endian signal ("@0") begins at its start
#   bit, the most significant one.
# Instead: candied takes the start bit for the least significant one, as in little-endian, and reads the bits before
#   it. A speed of 100 km/h (47|16@0) is 2.6, a coolant of 90 degrees (39|8@0) is -39, and an engine speed in the first
#   two bytes (7|16@0) is not a number. Little-endian signals ("@1") are right.
# Version: candied 2.2.0, 29 November 2026.
# Matters because: Public DBC files of Toyota, Ford and General Motors have mostly big-endian signals. The numbers
#   change while the car is driven, and some are plausible. Test with a file of little-endian signals and nothing
#   shows.
# Source: The format of DBC files, where the start bit of a big-endian signal is its most significant bit, in the
#   numbering 7 to 0, 15 to 8; python3-canmatrix of Debian 12 reads the same file so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts candied@2.2.0 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { Can, Dbc } = require('candied');
const can = new Can();
const read = (signals, bytes) => {
  const lines = signals.map((signal) => ` SG_ ${signal} [0|0] "" CAR`);
  can.database = new Dbc().load(['VERSION ""', '', 'NS_ :', '', 'BS_:', '', 'BU_: CAR', '', 'BO_ 180 State: 8 CAR', ...lines, ''].join('\n'));
  const { boundSignals } = can.decode(can.createFrame(180, bytes, false));
  return [...boundSignals].map(([name, { value }]) => `${name} ${value}`).join(', ');
};
const engine = [2400 >> 8, 2400 & 0xff];
const speed = [10_000 >> 8, 10_000 & 0xff];
const big = read(['Engine : 7|16@0+ (1,0)', 'Coolant : 39|8@0+ (1,-40)', 'Speed : 47|16@0+ (0.01,0)'], [...engine, 0, 0, 130, ...speed, 0]);
const little = read(['Engine : 0|16@1+ (1,0)', 'Coolant : 32|8@1+ (1,-40)', 'Speed : 40|16@1+ (0.01,0)'], [...engine.toReversed(), 0, 0, 130, ...speed.toReversed(), 0]);
console.log('sent: Engine 2400, Coolant 90, Speed 100');
console.log('candied reads, big-endian: %s', big);
console.log('candied reads, little-endian: %s', little);
if (little !== 'Engine 2400, Coolant 90, Speed 100' || big !== 'Engine NaN, Coolant -39, Speed 2.6') process.exit(1);
EOS
node run.cjs
