#!/usr/bin/env bash
# Expected: A value of 48 bits in a CAN message, such as the milliseconds since 1970 of a vehicle's clock, is read as that number.
# Instead: socketcan, Node's library for CAN buses, adds the upper bits to the lower 32 bits as they are, since shifting a number of
#   JavaScript by 32 bits is no shift: each time is one of January or February 1970. What it writes itself is right, so it does
#   not read what it has written. Up to 32 bits it is right.
# Version: socketcan 4.3.1, 30 November 2026; its own code for signals, compiled here, with a stand-in for the bus.
# Matters because: Clocks, parts of a VIN and counters of energy or distance have such lengths. The number moves on like a right
#   one, and begins anew every seven weeks.
# Source: The KCD format gives a signal up to 64 bits, and the library's own code for C reads all of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts socketcan@4.3.1 node-addon-api@8.9.2 node-api-headers@1.9.0 >> npm.log 2>&1
mkdir -p node_modules/socketcan/build/Release
g++ -std=c++20 -O1 -shared -fPIC -DNAPI_DISABLE_CPP_EXCEPTIONS -DNODE_GYP_MODULE_NAME=can_signals -Inode_modules/node-addon-api \
  -Inode_modules/node-api-headers/include node_modules/socketcan/native/signals.cc -o node_modules/socketcan/build/Release/can_signals.node
cat > network.kcd <<'EOF'
<?xml version="1.0" encoding="UTF-8"?>
<NetworkDefinition xmlns="http://kayak.2codeornot2code.org/1.0">
<Document name="clock"/>
<Bus name="Vehicle">
<Message id="0x5B0" name="Clock" length="8">
<Signal name="Time" offset="0" length="48"><Value unit="ms"/></Signal>
</Message>
</Bus>
</NetworkDefinition>
EOF
cat > run.cjs <<'EOF'
const Module = require('node:module');
const load = Module._load;
Module._load = (name, ...rest) => (name.endsWith('/can.node') ? {} : load(name, ...rest));
const { DatabaseService, parseNetworkDescription } = require('socketcan');
let receive;
const sent = [];
const channel = { addListener: (event, listener, self) => { receive = listener.bind(self); }, send: (message) => sent.push(message) };
const service = new DatabaseService(channel, parseNetworkDescription('network.kcd').buses.Vehicle);
console.log('socketcan', require('socketcan/package.json').version);
const { Time } = service.messages.Clock.signals;
const results = [];
for (const date of ['1970-01-31T12:00:00.000Z', '2026-11-30T12:00:00.000Z', '2026-12-01T12:00:00.000Z']) {
  const time = Date.parse(date);
  Time.update(time);
  service.send('Clock');
  const [{ data }] = sent.splice(0);
  Time.update(0);
  receive({ id: 0x5b0, data });
  const read = new Date(Time.value).toISOString();
  console.log(`${date}: written ${data.toString('hex')} (${data.readUIntLE(0, 6) === time ? 'right' : 'wrong'}), read ${read}`);
  results.push(data.readUIntLE(0, 6) === time && (read === date) === date.startsWith('1970') && read.startsWith('1970'));
}
if (!results.every(Boolean)) process.exit(1);
EOF
node run.cjs
