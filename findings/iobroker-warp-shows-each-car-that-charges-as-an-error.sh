#!/usr/bin/env bash
# Expected: A WARP charger tells the state of its car by a number: 3 while it charges, 2 when it is ready to charge but nothing flows, 4
#   for an error. The adapter of ioBroker puts words to these numbers.
# Instead: It says ERROR for a car that charges, CHARGING for one that does not, and nothing for an error. Its list has four states, as
#   if to wait and to be ready were one. In the list of errors the unused 1 is left out, so that a faulty contactor is called an error
#   of communication.
# Version: iobroker.warp 1.2.2, 1 December 2026; the adapter's own code, with stand-ins for ioBroker and for the charger's connection.
# Matters because: Lists and rules show these words. A home sees a fault each night and none where there is one, and a contactor that
#   no longer opens, which leaves the plug live, is searched for in the network. The state beside it, by IEC 61851, is right.
# Source: docs.warp-charger.com, API reference, evse/state; constants of the EVSE Bricklets in Tinkerforge/esp32-firmware.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack --silent iobroker.warp@1.2.2 > npm.log 2>&1
tar -xzf iobroker.warp-1.2.2.tgz
cat > run.cjs <<'EOS'
const Module = require('node:module');
const load = Module._load;
Module._load = (name, ...rest) => (name === 'axios' || name === 'ws' ? {} : load(name, ...rest));
const { WarpService } = require('./package/build/warp/warp-service.js');
const { WarpApiDefinitions } = require('./package/build/warp/warp-api-definitions.js');
const words = {};
const values = {};
const adapter = {
  config: {},
  log: { debug() {}, silly() {}, info() {}, warn: console.error, error: console.error },
  async extendObjectAsync(id, { common }) {
    words[id] = common.states;
  },
  async setObjectNotExistsAsync() {},
  async setStateAsync(id, value) {
    values[id] = value;
  },
};
// The charger's own words by its documentation.
const meanings = {
  charger_state: ['not connected', 'waiting for charge release', 'ready to charge', 'charging', 'error'],
  iec61851_state: ['A: not connected', 'B: connected', 'C: charging', 'D: charging with ventilation', 'E/F: error'],
  error_state: { 0: 'ok', 2: 'switch', 3: 'DC fault', 4: 'contactor', 5: 'communication' },
};
(async () => {
  console.log('iobroker.warp', require('./package/package.json').version);
  const service = new WarpService(adapter);
  service._apiDefinitions = new WarpApiDefinitions('warp2');
  const shown = [];
  for (const [name, numbers] of Object.entries(meanings)) {
    for (const [number, meaning] of Object.entries(numbers)) {
      await service.handleWarpMessageAsync({ topic: 'evse/state', payload: { [name]: Number(number) } });
      const id = `evse.state.${name}`;
      const word = words[id][values[id]] ?? 'no word';
      shown.push(`${name} ${number}: ${word}`);
      console.log(`${name} ${number}, ${meaning}: ${word}`);
    }
  }
  const expected = ['charger_state 2: CHARGING', 'charger_state 3: ERROR', 'charger_state 4: no word', 'iec61851_state 2: CHARGING', 'error_state 4: COMMUNICATION_ERROR'];
  process.exit(expected.every((line) => shown.includes(line)) ? 0 : 1);
})();
EOS
node run.cjs
