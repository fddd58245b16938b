#!/usr/bin/env bash
# Expected: The history of an electric car that takes 30 kWh in two hours says 15 kWh per hour.
# Instead: ioBroker's mercedesme divides the amount by the minutes and by 60, instead of multiplying by 60: 0.0042.
#   Amount and duration beside it are right. Liters per hour of a refueling come from the same line.
# Version: iobroker.mercedesme 0.7.2, 29 November 2026; the adapter's own code, with a stand-in for ioBroker.
# Matters because: The number says what a charging point gives. It is wrong by the same factor each time, so that the
#   charges in a car's history, kept by its VIN, compare well with each other and with nothing else.
# Source: 30 kWh in 120 minutes, both as the adapter reports them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iobroker.mercedesme@0.7.2 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { EventEmitter } = require('node:events');
const Module = require('node:module');
const states = new Map();
class Adapter extends EventEmitter {
  config = { capacity: '50' };
  log = { debug() {}, info() {}, warn: console.warn, error: console.error };
  async getStateAsync(id) { return states.get(id); }
  async setStateAsync(id, val) { states.set(id, { val, ack: true }); }
  setState(id, val) { states.set(id, { val, ack: true }); }
}
const load = Module._load;
Module._load = (name, ...rest) => (name === '@iobroker/adapter-core' ? { Adapter } : load(name, ...rest));
const adapter = require('iobroker.mercedesme')({});
const vin = 'W1K0000000A000000';
adapter.vinArray = [vin];
const RealDate = Date;
const report = (time, percent) => {
  globalThis.Date = class extends RealDate { constructor(...rest) { super(...(rest.length ? rest : [`2026-11-02T${time}:00`])); } };
  return adapter.onStateChange(`mercedesme.0.${vin}.state.soc.intValue`, { val: percent, ack: true });
};
(async () => {
  await report('08:00', 40);
  await report('08:01', 41);
  await report('10:01', 100);
  const [{ quantity, duration, perHour }] = JSON.parse(states.get(`${vin}.history.socJSON`).val);
  console.log('iobroker.mercedesme %s: 40 to 100 %% of 50 kWh from 08:01 to 10:01', require('iobroker.mercedesme/package.json').version);
  console.log('the history says %s kWh in %d minutes, %s kWh per hour', quantity, duration, perHour.toFixed(4));
  process.exit(quantity === '30.00' && duration === 120 && Math.round(15 / perHour) === 3600 ? 0 : 1);
})();
EOF
TZ=UTC node run.cjs
