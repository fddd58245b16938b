#!/usr/bin/env bash
# Expected: A charging station that was without a connection sends the readings of 10:00, 10:15 and 10:30 in one message, and a home
#   shows the latest one.
# Instead: ioBroker's OCPP adapter takes the first reading of a message alone: it shows 5 kWh and 11 kW of half an hour ago, while the
#   car has taken 9 kWh and charges no more. The others are dropped, until the next message comes.
# Version: iobroker.ocpp 0.12.5, 30 November 2026; the adapter's own code, with stand-ins for ioBroker and for the connection.
# Matters because: Rules that end a charge at an energy, or that give the power to another car, act upon a state that is past. Where
#   the station sends several readings each time, the shown one is always late.
# Source: OCPP 1.6, MeterValues.req: one or more meter values, each with its own timestamp.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack --silent iobroker.ocpp@0.12.5 > npm.log 2>&1
tar -xzf iobroker.ocpp-0.12.5.tgz
cat > run.cjs <<'EOF'
const { EventEmitter } = require('node:events');
const Module = require('node:module');
const states = new Map();
const units = new Map();
class Adapter extends EventEmitter {
  config = { port: 9220 };
  log = { silly() {}, debug() {}, info() {}, warn() {}, error: console.error };
  subscribeStates() {}
  getPortAsync = async (port) => port;
  getStateAsync = async (id) => (states.has(id) ? { val: states.get(id) } : null);
  setStateAsync = async (id, val) => states.set(id, val);
  extendObjectAsync = async (id, { common }) => units.set(id, common?.unit);
  setObjectNotExistsAsync = async () => {};
}
let server;
class CentralSystem {
  constructor() {
    server = this;
  }
  listen() {}
}
const standIns = { '@iobroker/adapter-core': { Adapter }, '@ampeco/ocpp-eliftech': { CentralSystem, OCPPCommands: {} } };
const load = Module._load;
Module._load = (name, ...rest) => standIns[name] ?? load(name, ...rest);
const adapter = require('./package/build/main.js')({});
adapter.requestNewClient = async () => {};
adapter.createDeviceObjects = async () => {};
adapter.createConnectorObjects = async () => {};
async function read(meterValue) {
  await server.onRequest({ connection: { url: 'station' } }, { getCommandName: () => 'MeterValues', connectorId: 1, transactionId: 1, meterValue });
  return [...states].filter(([id]) => id.includes('meterValues')).map(([id, value]) => [id.split('.').at(-1), value, units.get(id)]);
}
(async () => {
  await adapter.onReady();
  const reading = (time, energy, power) => ({
    timestamp: `2026-11-30T${time}:00Z`,
    sampledValue: [{ value: String(energy), measurand: 'Energy.Active.Import.Register', unit: 'Wh' }, { value: String(power), measurand: 'Power.Active.Import', unit: 'W' }],
  });
  const shown = await read([reading('10:00', 5000, 11_000), reading('10:15', 7700, 11_000), reading('10:30', 9000, 0)]);
  console.log('iobroker.ocpp', require('./package/package.json').version);
  console.log('sent: 10:00 5000 Wh 11000 W, 10:15 7700 Wh 11000 W, 10:30 9000 Wh 0 W');
  for (const [name, value, unit] of shown) console.log(`shown: ${name} ${value} ${unit}`);
  process.exit(shown.map(([, value]) => value).join() === '5000,11000' ? 0 : 1);
})();
EOF
node run.cjs
