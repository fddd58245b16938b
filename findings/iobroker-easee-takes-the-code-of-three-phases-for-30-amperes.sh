#!/usr/bin/env bash
# Expected: Home automation shows with which current a charger of Easee lets a car charge.
# Instead: With the option SignalR, as soon as Easee's stream tells which phases the car uses (observation 110, a code: 30 is
#   all three, 10 the first one), ioBroker's adapter writes the code into outputCurrent, whose unit is A. A car with 16 A on
#   three phases has 30 A until the next poll. The stream's own current (observation 114) is not taken at all.
# Version: iobroker.easee 1.0.10, 30 November 2026; the adapter's own code, with stand-ins for ioBroker, Easee's answers and
#   its stream.
# Matters because: 10 and 30 are currents that chargers have. Who reckons the power of a car or the load of a house from it
#   has nearly twice too much on three phases and too little on one.
# Source: Easee's list of observations, which the adapter quotes in lib/enum.js: 110 OUTPUT_PHASE, 114 OUTPUT_CURRENT; Easee's
#   enumeration of output phases: 10 is N+L1, 30 is N+L1, N+L2, N+L3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iobroker.easee@1.0.10 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { EventEmitter } = require('node:events');
const Module = require('node:module');
const states = new Map();
const units = new Map();
class Adapter extends EventEmitter {
  log = { debug() {}, info() {}, warn: console.warn, error: console.error };
  subscribeStates() {}
  async setObjectNotExistsAsync(id, { common }) { units.set(id, common.unit); }
  async setStateAsync(id, state) { states.set(id, state?.val ?? state); }
}
const stream = Object.assign(new EventEmitter(), { start: async () => {}, send: async () => {}, onclose() {} });
class HubConnectionBuilder {
  withUrl() { return this; }
  withAutomaticReconnect() { return this; }
  build() { return stream; }
}
const load = Module._load;
const standIns = { '@iobroker/adapter-core': { Adapter }, '@microsoft/signalr': { HubConnectionBuilder } };
Module._load = (name, ...rest) => standIns[name] ?? load(name, ...rest);
const adapter = require('iobroker.easee')({});
const charger = { id: 'EH000000', name: 'garage' };
const shown = () => `${states.get('EH000000.status.outputCurrent')} ${units.get('EH000000.status.outputCurrent')}`;
const tell = (id, dataType, value) => stream.emit('ProductUpdate', { mid: 'EH000000', id, dataType, value });
(async () => {
  await adapter.setAllStatusObjects(charger);
  adapter.startSignal();
  console.log('iobroker.easee', require('iobroker.easee/package.json').version);
  const currents = [];
  for (const [phases, code] of [['three phases', '30'], ['one phase', '10']]) {
    await adapter.setNewStatusToCharger(charger, { outputCurrent: 16 });
    const polled = shown();
    tell(114, 3, '12');
    const told = shown();
    tell(110, 4, code);
    currents.push(polled, told, shown());
    console.log(`a car with 16 A on ${phases}: polled ${polled}; after the stream told a new current of 12 A: ${told}; after it told the phases as ${code}: ${shown()}`);
  }
  process.exit(currents.join() === '16 A,16 A,30 A,16 A,16 A,10 A' ? 0 : 1);
})();
EOF
node run.cjs
