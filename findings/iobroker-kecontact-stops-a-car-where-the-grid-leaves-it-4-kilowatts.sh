#!/usr/bin/env bash
# Expected: While a German grid operator dims, a charging station may take 4.2 kW. The adapter's option "dynamic" lets a car charge
#   with more than 6 A then, if the sun gives the rest, and with 6 A if it does not.
# Instead: Without the option the car goes on with 6 A. With it, it is stopped as soon as the house draws anything, be it 100 W: the
#   house is taken off the car's 3 times 6 A, and less than 6 A is no charge. Only where the house takes nothing from the grid is there
#   any charge at all, so that the option for more gives less, in the evening hours that dimming is made for.
# Version: iobroker.kecontact 3.8.0, 30 November 2026; the adapter's own code, with stand-ins for ioBroker and the KEBA station.
# Matters because: The operator must leave the car its minimum, and the log says "stop charging" and no more. Whoever plugs in at six
#   finds the car as empty as before.
# Source: Section 14a EnWG, ruling BK6-22-300 of the Bundesnetzagentur: at least 4.2 kW for each controllable device, with no limit for
#   the rest of the house. The option's own hint: with it one can still charge with more than 6 A.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack --silent iobroker.kecontact@3.8.0 > npm.log 2>&1
tar -xzf iobroker.kecontact-3.8.0.tgz
cat > run.cjs <<'EOF'
const Module = require('node:module');
class Adapter {
  namespace = 'kecontact.0';
  log = { silly() {}, debug() {}, info() {}, warn: console.error, error: console.error };
  on() {}
  setState() {}
}
const standIns = { '@iobroker/adapter-core': { Adapter, I18n: {} }, axios: {} };
const load = Module._load;
Module._load = (name, ...rest) => standIns[name] ?? load(name, ...rest);
const create = require('./package/main.js');
const car = 4140; // It charges with 3 times 6 A.
function dim(dynamicEnWG, house) {
  const station = create({});
  station.config = { stateEnWG: 'grid.0.dimmed', dynamicEnWG, stateSurplus: 'meter.0.surplus', statesIncludeWallbox: true };
  Object.assign(station, { isPassive: false, minAmperage: station.minAmperageDefault });
  const states = { 'grid.0.dimmed': true, 'meter.0.surplus': -(house + car), p: car * 1000, i1: 6000, i2: 6000, i3: 6000 };
  Object.assign(states, { plug: 7, state: 3, enableUser: true, currentUser: 6000, currentHardware: 16_000 });
  for (const [id, value] of Object.entries(states)) station.setStateInternal(id, value);
  let milliamperes = 6000;
  station.sendUdpDatagram = (message) => {
    milliamperes = Number(message.split(' ')[1]);
  };
  station.checkWallboxPower();
  const use = house < 0 ? `the house has ${-house} W to spare` : `the house draws ${house} W`;
  console.log(`dimmed, option ${dynamicEnWG ? 'on' : 'off'}, ${use}: the car may charge with ${milliamperes / 1000} A on three phases`);
  return milliamperes;
}
console.log('iobroker.kecontact', require('./package/package.json').version);
const off = [0, 100, 1500].map((house) => dim(false, house));
const on = [-2000, 0, 100, 1500].map((house) => dim(true, house));
process.exit(off.join() === '6000,6000,6000' && on.join() === '8500,6000,0,0' ? 0 : 1);
EOF
node run.cjs
