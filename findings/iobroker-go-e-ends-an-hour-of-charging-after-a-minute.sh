#!/usr/bin/env bash
# Expected: An electric car that is allowed to charge for 60 minutes charges for 60 minutes.
# Instead: ioBroker's go-e waits as many seconds: after one minute it forbids the charger to go on. The end that it shows
#   (stopChargeingAt) is an hour away, as it should be, and stays there. Told that end instead of the minutes, it is right.
# Version: iobroker.go-e 1.0.42, 29 November 2026; the adapter's own code, with a stand-in for ioBroker and for the clock.
# Matters because: The car stands there with a sixtieth of the energy, and the log has a line of information like that of any
#   end. The unit of the value is given as m.
# Source: The end that the adapter itself computes from the same minutes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iobroker.go-e@1.0.42 >> npm.log 2>&1
cat > run.cjs <<'JS'
const { EventEmitter } = require('node:events');
const Module = require('node:module');
const { mock } = require('node:test');
const states = new Map();
class Adapter extends EventEmitter {
  namespace = 'go-e.0';
  config = { serverName: 'charger.invalid', apiVersion: 1 };
  log = { silly() {}, debug() {}, info() {}, warn: console.warn, error: console.error };
  setState(id, state) { states.set(id, state.val); }
}
const load = Module._load;
Module._load = (name, ...rest) => (name === '@iobroker/adapter-core' ? { Adapter } : load(name, ...rest));
const adapter = require('iobroker.go-e')({});
mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-11-02T20:00:00Z') });
let stopped;
adapter.setValue = (id, value) => { if (id === 'alw' && value === 0) stopped ??= new Date().toISOString(); };
console.log('iobroker.go-e', require('iobroker.go-e/package.json').version);
function charge(name, value) {
  stopped = undefined;
  const start = new Date().toISOString();
  adapter.onStateChange(`go-e.0.schedule.${name}`, { val: value, ack: false });
  for (let minute = 0; minute < 180; minute++) mock.timers.tick(60_000);
  console.log(`${name} ${value} at ${start}: shows ${states.get('schedule.stopChargeingAt')}, stops ${stopped}`);
  return stopped;
}
const early = charge('allowChargeingForMins', 60);
const shown = states.get('schedule.stopChargeingAt');
const right = charge('stopChargeingAt', '2026-11-03T00:00:00.000Z');
process.exit(early === '2026-11-02T20:01:00.000Z' && shown === '2026-11-02T21:00:00.000Z' && right === '2026-11-03T00:00:00.000Z' ? 0 : 1);
JS
node run.cjs
