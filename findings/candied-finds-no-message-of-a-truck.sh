#!/usr/bin/env bash
# Expected: A decoder of CAN messages finds the frame 0CF004FE, the engine speed of a truck, in a DBC file that describes it.
# Instead: DBC files set the highest bit of an identifier that has 29 bits (0CF004FE is 2364540158, 8CF004FE). candied takes that
#   number for the identifier. A frame with the identifier from the bus is unknown, told that it is extended or not, and one
#   with the number of the file is decoded, which no bus carries.
# Version: candied 2.2.0, 30 November 2026.
# Matters because: All messages of trucks, buses and tractors (SAE J1939) and many of cars have 29 bits. "undefined" is also
#   the answer for a message that the file does not describe, so that a recording seems to hold nothing known. Set the bit before
#   decoding.
# Source: The format of DBC files, where bit 31 of an identifier marks an extended one; python3-canmatrix of Debian 12 finds the
#   frame by its identifier.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts candied@2.2.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { Can, Dbc } = require('candied');
const lines = ['VERSION ""', '', 'NS_ :', '', 'BS_:', '', 'BU_: TRUCK', '', 'BO_ 2364540158 EEC1: 8 TRUCK', ' SG_ EngineSpeed : 24|16@1+ (0.125,0) [0|8031.875] "rpm" TRUCK', ''];
const can = new Can();
can.database = new Dbc().load(lines.join('\n'));
const read = (id, extended) => can.decode(can.createFrame(id, [0, 0, 0, 0x40, 0x38, 0, 0, 0], extended))?.boundSignals.get('EngineSpeed').physValue ?? 'unknown';
const answers = [read(0x0cf004fe, true), read(0x0cf004fe, false), read(2364540158, true)];
console.log('candied', require('candied/package.json').version);
console.log('frame 0CF004FE, extended: %s; not extended: %s; frame 8CF004FE: %s', ...answers);
if (answers.join() !== 'unknown,unknown,1800 rpm') process.exit(1);
EOF
node run.cjs
