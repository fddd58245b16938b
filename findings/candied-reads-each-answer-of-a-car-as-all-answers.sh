#!/usr/bin/env bash
# Expected: A decoder of CAN messages that reads multiplexed signals from a DBC file ("m13") gives those that the
#   multiplexer ("M") of the frame names.
# Instead: candied keeps the multiplexer with each signal and does not look at it: it reads every signal of the message from every
#   frame. A car that answers 64 km/h has a coolant of 24 degrees and a throttle of 64 as well, and the last frame of a
#   VIN is in each of its parts.
# Version: candied 2.2.0, 30 November 2026.
# Matters because: All answers to OBD questions have one identifier, and DBC files for them tell values apart by a multiplexer. Who
#   keeps the last value of each signal gets series of temperatures that are speeds, plausible and of the right unit.
# Source: The format of DBC files, where a signal marked m13 is in a frame only if the multiplexer is 13; python3-canmatrix of
#   Debian 12 reads only the speed from the same frame.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts candied@2.2.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { Can, Dbc } = require('candied');
const lines = [
  'VERSION ""', '', 'NS_ :', '', 'BS_:', '', 'BU_: CAR', '', 'BO_ 2024 Answer: 8 CAR',
  ' SG_ Pid M : 16|8@1+ (1,0) [0|0] "" CAR',
  ' SG_ Coolant m5 : 24|8@1+ (1,-40) [0|0] "degC" CAR',
  ' SG_ Speed m13 : 24|8@1+ (1,0) [0|0] "km/h" CAR',
  ' SG_ Throttle m17 : 24|8@1+ (1,0) [0|0] "" CAR',
  '', 'BO_ 1029 Vin: 7 CAR', ' SG_ Part M : 0|8@1+ (1,0) [0|0] "" CAR',
  ...[0, 1, 2].map((part) => ` SG_ Vin${part + 1} m${part} : 8|48@1+ (1,0) [0|0] "" CAR`), '',
];
const can = new Can();
can.database = new Dbc().load(lines.join('\n'));
const decode = (id, bytes) => can.decode(can.createFrame(id, bytes, false)).boundSignals;
const text = (value) => {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntLE(value, 0, 6);
  return bytes.toString('latin1').trimEnd();
};
const answer = [...decode(2024, [3, 0x41, 13, 64, 0, 0, 0, 0])].map(([name, { value }]) => `${name} ${value}`).join(', ');
const vin = 'WVWZZZ1KZAW000001';
const last = new Map();
for (const part of [0, 1, 2]) {
  const characters = vin.slice(6 * part, 6 * part + 6).padEnd(6);
  for (const [name, { value }] of decode(1029, [part, ...Buffer.from(characters)])) last.set(name, value);
}
const parts = ['Vin1', 'Vin2', 'Vin3'].map((name) => text(last.get(name)));
console.log('candied', require('candied/package.json').version);
console.log('sent: 64 km/h (PID 13); read:', answer);
console.log(`sent: ${vin} in three frames; in the three signals after that: ${parts.join(', ')}`);
if (answer !== 'Pid 13, Coolant 24, Speed 64, Throttle 64' || parts.join() !== '00001,00001,00001') process.exit(1);
EOF
node run.cjs
