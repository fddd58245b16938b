#!/usr/bin/env bash
# Expected: In a message whose byte 1 tells which of several values byte 2 holds (a multiplexed one), a value that is in each of
#   these frames, such as the temperature of the coolant in byte 3, is read from each of them.
# Instead: socketcan, Node's library for CAN buses, reads such a value only from frames that tell 0. Where the numbers are 1 and 2,
#   it has no temperature at all; where they are 0 and 1, it misses those of half of the frames. The alternating values are right.
# Version: socketcan 4.3.1, 30 November 2026; its own code for signals, compiled here, with a stand-in for the bus.
# Matters because: Numbers that begin at 1 are common, and a car that has no temperature looks like one without the sensor; where
#   one of the numbers is 0, an alarm comes as late as that frame.
# Source: The schema of the KCD format (Definition.xsd of Kayak): a group (MuxGroup) is what is valid only at its count value.
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
<Document name="engine"/>
<Bus name="Vehicle">
<Message id="0x5A0" name="Engine" length="8">
<Multiplex name="Part" offset="0" length="8">
<MuxGroup count="1"><Signal name="Oil" offset="8" length="8"><Value intercept="-40" unit="Cel"/></Signal></MuxGroup>
<MuxGroup count="2"><Signal name="Boost" offset="8" length="8"><Value slope="2" unit="kPa"/></Signal></MuxGroup>
</Multiplex>
<Signal name="Coolant" offset="16" length="8"><Value intercept="-40" unit="Cel"/></Signal>
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
const { messages } = new DatabaseService(channel, parseNetworkDescription('network.kcd').buses.Vehicle);
console.log('socketcan', require('socketcan/package.json').version);
const { Oil, Boost, Coolant } = messages.Engine.signals;
const results = [];
for (const [part, value, coolant] of [[1, 140, 130], [2, 75, 135], [1, 142, 150], [2, 80, 155]]) {
  receive({ id: 0x5a0, data: Buffer.from([part, value, coolant, 0, 0, 0, 0, 0]) });
  console.log(`frame of part ${part} with the coolant at ${coolant - 40} °C: oil ${Oil.value} °C, boost ${Boost.value} kPa, coolant ${Coolant.value} °C`);
  results.push(Coolant.value);
}
if (Oil.value !== 102 || Boost.value !== 160 || results.some((value) => value !== undefined)) process.exit(1);
EOF
node run.cjs
