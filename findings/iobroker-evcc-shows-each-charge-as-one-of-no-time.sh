#!/usr/bin/env bash
# Expected: Home automation shows how long a car has charged and how long it is plugged in, as evcc, the open controller for
#   chargers, says.
# Instead: evcc answers both in seconds. ioBroker's adapter takes them for billionths of a second: two hours of charging are
#   00:00:00, a car that was plugged in for ten hours was so for 00:00:00. The energy of the same answer is right.
# Version: iobroker.evcc 0.2.8, 30 November 2026; the adapter's own code, with a stand-in for ioBroker and for evcc.
# Matters because: Rules such as a fee for a car that stays plugged in, or a notice when a charge takes too long, never come
#   to pass, and a log of charges by vehicle has energy without time.
# Source: evcc's handler for /api/state, which encodes durations in seconds; evcc's description of the state, durations in
#   seconds.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iobroker.evcc@0.2.8 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { EventEmitter, once } = require('node:events');
const { createServer } = require('node:http');
const Module = require('node:module');
const states = new Map();
class Adapter extends EventEmitter {
  config = {};
  log = { silly() {}, debug() {}, info() {}, warn: console.warn, error: console.error };
  subscribeStates() {}
  setInterval() {}
  async extendObjectAsync() {}
  async setObjectNotExistsAsync() {}
  async setState(id, state) {
    states.set(id, state?.val ?? state);
    this.emit('shown', id);
  }
  setStateAsync(...state) { return this.setState(...state); }
}
const load = Module._load;
Module._load = (name, ...rest) => (name === '@iobroker/adapter-core' ? { Adapter } : load(name, ...rest));
const adapter = require('iobroker.evcc')({});
const loadpoint = { chargeDuration: 2 * 3600, connectedDuration: 10 * 3600, chargedEnergy: 22_000, last: true };
const server = createServer((request, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify({ loadpoints: [loadpoint], vehicles: {} })));
(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  adapter.config = { ip: '127.0.0.1', port: server.address().port, polltime: 10 };
  await adapter.onReady();
  for await (const [id] of require('node:events').on(adapter, 'shown')) if (id === 'loadpoint.1.status.last') break;
  server.close();
  const [charged, connected, energy] = ['chargeDuration', 'connectedDuration', 'chargedEnergy'].map((name) => states.get(`loadpoint.1.status.${name}`));
  console.log('iobroker.evcc', require('iobroker.evcc/package.json').version);
  console.log(`evcc: charging for ${loadpoint.chargeDuration} s, plugged in for ${loadpoint.connectedDuration} s, ${loadpoint.chargedEnergy} Wh`);
  console.log(`ioBroker: charging for ${charged}, plugged in for ${connected}, ${energy} Wh`);
  process.exit(charged === '00:00:00' && connected === '00:00:00' && energy === 22_000 ? 0 : 1);
})();
EOF
node run.cjs
