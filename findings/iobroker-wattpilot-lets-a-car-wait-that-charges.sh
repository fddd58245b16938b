#!/usr/bin/env bash
# Expected: A home asks its Wattpilot every 30 seconds, a setting of the adapter of ioBroker ("interval to receive data"). A car is
#   plugged in and begins to charge five seconds later. Half a minute later at the latest the home shows that it charges.
# Instead: It shows a car that waits, with 11 kW, for the whole charge. The adapter does not ask: the charger tells each change once,
#   and a change that comes within the interval after the last one of its kind is thrown away, not kept. With the default interval,
#   one second, this charge is right.
# Version: iobroker.fronius-wattpilot 4.8.0, 1 December 2026; the adapter's own code, with stand-ins for ioBroker and the charger.
# Matters because: Rules that wait for a car to charge, or that start it again because it does not, act on a state that is over. Errors,
#   the permission to charge and the limit of the cable are dealt with alike. Voltage and power mend themselves, since they change.
# Source: API.md of joscha82/wattpilot, to which the adapter's README leads: deltaStatus is sent whenever a property changes; car 2 is
#   charging, 3 is waiting for the car.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack --silent iobroker.fronius-wattpilot@4.8.0 > npm.log 2>&1
tar -xzf iobroker.fronius-wattpilot-4.8.0.tgz
cat > run.cjs <<'EOS'
const Module = require('node:module');
const defaults = require('./package/io-package.json').native;
class Adapter {
  namespace = 'fronius-wattpilot.0';
  log = { debug() {}, info() {}, warn: console.error, error: console.error };
  shown = {};
  on() {}
  subscribeStates() {}
  async getObjectAsync() {}
  async extendObjectAsync() {}
  async setStateAsync(id, { val }) {
    this.shown[id] = val;
  }
}
const load = Module._load;
Module._load = (name, ...rest) => ({ '@iobroker/adapter-core': { Adapter }, ws: {}, bcryptjs: {} })[name] ?? load(name, ...rest);
const create = require('./package/main.js');
const start = Date.UTC(2026, 11, 1, 20);
// What the charger tells, by seconds: plugged in, charging, and then only what changes for an hour of 11 kW.
const charge = [
  [0, { car: 1, alw: false }],
  [60, { car: 3, alw: true }],
  [65, { car: 2 }],
];
for (let second = 70; second <= 3670; second += 5) charge.push([second, { nrg: [230, 230 + (second % 2), 230, 0, 16, 16, 16, 3680, 3680, 3680, 0, 11_040], wh: second * 3 }]);
async function charged(interval) {
  const adapter = create({});
  adapter.config = { ...defaults, freq: interval };
  for (const [second, status] of charge) {
    Date.now = () => start + second * 1000;
    await adapter._handleWebSocketMessage({ type: 'deltaStatus', status });
  }
  console.log(`interval of ${interval} s, after an hour of charging: ${adapter.shown.carConnected}, ${adapter.shown.power.toFixed(2)} kW`);
  return adapter.shown.carConnected;
}
(async () => {
  console.log(`iobroker.fronius-wattpilot ${require('./package/package.json').version}, default interval ${defaults.freq} s`);
  const states = [await charged(1), await charged(30)];
  process.exit(states.join(' ') === 'Charging WaitCar' ? 0 : 1);
})();
EOS
node run.cjs
