#!/usr/bin/env bash
# Expected: Who sends the message Dash Display of J1939 with a temperature of the load alone says nothing of the fuel: each bit of
#   what is not available is 1.
# Instead: socketcan, Node's library for CAN buses, which knows nodes of J1939 by name, fills with 0. The message says that the tank
#   is empty (0 %) and the washer fluid as well. A comment in its own code says that it should be FF for J1939.
# Version: socketcan 4.3.1, 30 November 2026; its own code for signals, compiled here, with a stand-in for the bus.
# Matters because: 0 is a valid value of nearly each signal of a truck: an empty tank, a released brake, a torque of -125 %. Those
#   who receive it take it for measured, and mix it with what the truck says itself.
# Source: SAE J1939-71: a value whose bits are all 1 is not available; PGN 65276, SPN 80, 96 and 169. The comment stands in the
#   library's function send.
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
<Document name="truck"/>
<Bus name="Vehicle">
<Message id="0x18FEFC21" name="DashDisplay" format="extended" length="8">
<Signal name="WasherFluid" offset="0" length="8"><Value slope="0.4" unit="%"/></Signal>
<Signal name="FuelLevel" offset="8" length="8"><Value slope="0.4" unit="%"/></Signal>
<Signal name="LoadTemperature" offset="32" length="16"><Value slope="0.03125" intercept="-273" unit="Cel"/></Signal>
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
const { WasherFluid, FuelLevel, LoadTemperature } = service.messages.DashDisplay.signals;
LoadTemperature.update(-18);
service.send('DashDisplay');
const [message] = sent;
const data = message.data.toString('hex');
console.log(`told: load ${LoadTemperature.value} °C, fuel ${FuelLevel.value}, washer fluid ${WasherFluid.value}`);
console.log(`sent: ${message.id.toString(16)} ${data}; with the rest not available: ffffffff${data.slice(8, 12)}ffff`);
receive(message);
console.log(`received: load ${LoadTemperature.value} °C, fuel ${FuelLevel.value} %, washer fluid ${WasherFluid.value} %`);
if (data !== '00000000e01f0000' || FuelLevel.value !== 0 || WasherFluid.value !== 0 || LoadTemperature.value !== -18) process.exit(1);
EOF
node run.cjs
