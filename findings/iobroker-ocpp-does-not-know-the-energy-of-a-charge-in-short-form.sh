#!/usr/bin/env bash
# Expected: A charging station that sends the number of its meter without saying what it is, as OCPP allows, is read as the standard
#   has it: energy taken, in Wh.
# Instead: ioBroker's OCPP adapter keeps that number as a state named unknown, without a unit, and with a phase as a state named after
#   the phase (L1). A state with the energy does not exist, or keeps an older value where the station names it sometimes.
# Version: iobroker.ocpp 0.12.5, 30 November 2026; the adapter's own code, with stand-ins for ioBroker and for the connection.
# Matters because: A station is right to send the energy in this short form. Views and rules made for the energy have none, or stay at
#   the value from the start of the charge.
# Source: OCPP 1.6, SampledValue: measurand is optional, its default is Energy.Active.Import.Register; unit is optional, and its default
#   Wh where the measurand is energy.
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
  const timestamp = '2026-11-30T10:00:00Z';
  await read([{ timestamp, sampledValue: [{ value: '5000', measurand: 'Energy.Active.Import.Register', unit: 'Wh' }] }]);
  const shown = await read([{ timestamp, sampledValue: [{ value: '9000' }, { value: '3000', phase: 'L1' }] }]);
  console.log('iobroker.ocpp', require('./package/package.json').version);
  console.log('sent: 5000 Wh with its name, then 9000 and, of phase L1, 3000 without a name');
  for (const [name, value, unit] of shown) console.log(`shown: ${name} ${value} ${unit ?? '(no unit)'}`);
  process.exit(JSON.stringify(shown) === JSON.stringify([['Energy_Active_Import_Register', 5000, 'Wh'], ['unknown', 9000, null], ['L1', 3000, null]]) ? 0 : 1);
})();
EOF
node run.cjs
