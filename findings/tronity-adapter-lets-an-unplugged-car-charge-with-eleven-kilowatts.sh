#!/usr/bin/env bash
# Expected: After a charge an electric car shows a power of 0 kW and no remaining time.
# Instead: ioBroker's tronity takes over a power only if it is more than 0, and a remaining time only while the car is
#   connected. The last values stay: a car that is disconnected and not plugged in charges with 11 kW for another 30
#   minutes, until its next charge. Level, range and odometer are up to date.
# Version: iobroker.tronity 1.2.1, 29 November 2026; the adapter's own code, with stand-ins for ioBroker and the service.
# Matters because: Tronity collects data of cars of some twenty makes. Houses with solar panels decide by a car's power
#   how much is left, and a sum of power over time charges the car day and night.
# Source: The service's answer, as sent here: charging "Disconnected", plugged false, chargerPower 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iobroker.tronity@1.2.1 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { EventEmitter } = require('node:events');
const Module = require('node:module');
const states = {};
let record;
class Adapter extends EventEmitter {
  config = { client_id: 'i', client_secret: 's', vehicle_id: 'v' };
  log = { debug() {}, info() {}, warn: console.warn, error: console.error };
  setState(id, value) { states[id] = value; }
}
const axios = { get: async () => ({ data: record }), post: async () => ({ data: { access_token: 't', expires_in: 3600 } }) };
const load = Module._load;
Module._load = (name, ...rest) => (name === '@iobroker/adapter-core' ? { Adapter } : name === 'axios' ? axios : load(name, ...rest));
const adapter = require('iobroker.tronity')({});
const update = async (data) => {
  record = { odometer: 12000, ...data };
  await adapter.updateVehicleData();
  const { level, charging, plugged, chargerPower, chargeRemainingTime } = states;
  console.log('sent %s, %d kW, %d s: shown %d %%, %s, plugged %s, %d kW, %d s', data.charging, data.chargerPower, data.chargeRemainingTime, level, charging, plugged, chargerPower, chargeRemainingTime);
};
(async () => {
  console.log('iobroker.tronity %s', require('iobroker.tronity/package.json').version);
  await update({ level: 60, charging: 'Charging', plugged: true, chargerPower: 11, chargeRemainingTime: 1800 });
  await update({ level: 80, charging: 'Disconnected', plugged: false, chargerPower: 0, chargeRemainingTime: 0 });
  process.exit(states.charging === 'Disconnected' && states.plugged === false && states.level === 80 && states.chargerPower === 11 && states.chargeRemainingTime === 1800 ? 0 : 1);
})();
EOF
node run.cjs
