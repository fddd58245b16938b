#!/usr/bin/env bash
# Expected: A vehicle that drives 100 km/h is shown with 100 km/h in home automation, as on the map of the same server.
# Instead: Traccar, the open server for vehicle trackers, keeps and answers speeds in knots, whatever unit its pages show.
#   ioBroker's adapter writes the number as it comes and gives it the unit km/h: 54. Altitude and distances, which Traccar
#   has in meters, have the right unit.
# Version: iobroker.traccar 1.2.1, 29 November 2026; the adapter's own code, with a stand-in for ioBroker.
# Matters because: Half the speed is a speed that vehicles drive. An alarm at 130 comes at 240, and a log of trips by vehicle
#   has half the speed in each of them, while distances and times are right.
# Source: Traccar's description of its interface: speed of a position, "in knots".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iobroker.traccar@1.2.1 >> npm.log 2>&1
cat > run.cjs <<'JS'
const { EventEmitter } = require('node:events');
const Module = require('node:module');
const states = new Map();
const units = new Map();
class Adapter extends EventEmitter {
  config = {};
  log = { debug() {}, info() {}, warn: console.warn, error: console.error };
  async setObjectNotExistsAsync(id, { common }) { units.set(id, common.unit); }
  async setStateChangedAsync(id, { val }) { states.set(id, val); }
}
const load = Module._load;
Module._load = (name, ...rest) => (name === '@iobroker/adapter-core' ? { Adapter } : load(name, ...rest));
const adapter = require('iobroker.traccar')({});
const shown = (name) => `${states.get(`devices.1.${name}`)} ${units.get(`devices.1.${name}`)}`;
(async () => {
  const speed = 100 / 1.852;
  adapter.positions = [{ deviceId: 1, latitude: 52, longitude: 10, altitude: 80, accuracy: 0, course: 90, speed, attributes: { distance: 1500, totalDistance: 48_213_000 } }];
  await adapter.processPosition();
  console.log('iobroker.traccar', require('iobroker.traccar/package.json').version);
  console.log(`100 km/h, in Traccar ${speed.toFixed(2)} knots: ${shown('speed')}; altitude ${shown('altitude')}, distance ${shown('distance')}, total ${shown('total_distance')}`);
  process.exit(shown('speed') === '54 km/h' && shown('altitude') === '80 m' && shown('distance') === '1500 m' ? 0 : 1);
})();
JS
node run.cjs
