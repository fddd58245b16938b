#!/usr/bin/env bash
# Expected: A state named "Vehicle charging" is true while the car charges.
# Instead: For newer cars of Hyundai and Kia ioBroker's bluelink takes it from whether the connector is fastened. A full car
#   that stays at the cable charges, by this, until somebody drives off. The time that remains is 0 beside it. For older cars
#   the state is that of charging, and the connector has a state of its own.
# Version: iobroker.bluelink 3.1.34, 30 November 2026; the adapter's own code, with a stand-in for ioBroker.
# Matters because: Houses with solar panels share their power out by which car charges, and energy is counted where none
#   flows. Which protocol a car speaks depends on the car, not on the account, so that two cars of one house differ.
# Source: hyundai_kia_connect_api, a library in Python, which takes ConnectorFastening for "is plugged in".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack iobroker.bluelink@3.1.34 > npm.log 2>&1
tar -xzf iobroker.bluelink-3.1.34.tgz
cat > run.cjs <<'EOF'
const { EventEmitter } = require('node:events');
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const states = {};
class Adapter extends EventEmitter {
  config = {};
  log = { debug() {}, info() {}, warn: console.warn, error: console.error };
  setState(id, { val }) { states[id] = val; }
}
const load = Module._load;
Module._load = (name, parent, ...rest) => {
  if (name === '@iobroker/adapter-core') return { Adapter };
  return name.startsWith('.') || name.startsWith('/') || Module.isBuiltin(name) ? load(name, parent, ...rest) : {};
};
const adapter = require('./package/main.js')({});
const doors = { doorLock: true, trunkOpen: false, hoodOpen: false, doorOpen: { frontLeft: 0, frontRight: 0, backLeft: 0, backRight: 0 } };
const newer = (connector, minutes) => ({
  vehicleStatus: doors,
  ccs2Status: { state: { Vehicle: { Electronics: { Battery: { Level: 90 } }, Green: { BatteryManagement: { BatteryRemain: { Ratio: 100 } }, ChargingInformation: { ConnectorFastening: { State: connector }, Charging: { RemainTime: minutes } } } } } },
});
const older = (connector, charging, minutes) => ({
  vehicleStatus: { ...doors, battery: { batSoc: 90, batState: 0 }, evStatus: { batteryStatus: 100, batteryCharge: charging, batteryPlugin: connector, remainTime2: { atc: { value: minutes } } } },
});
const shown = [];
const show = async (what, status) => {
  await adapter.setNewFullStatus(status, 'car');
  const battery = 'car.vehicleStatus.battery';
  console.log('%s: charging %s, level %d %%, minutes %d', what, states[`${battery}.charge`], states[`${battery}.soc`], states[`${battery}.minutes_to_charged`]);
  shown.push(states[`${battery}.charge`]);
};
(async () => {
  console.log('iobroker.bluelink %s', require('./package/package.json').version);
  const [, name] = /battery\.charge`, \{\s+type: 'state',\s+common: \{\s+name: '([^']*)'/.exec(readFileSync('package/lib/create_tools.js', 'utf8'));
  console.log('the state is named "%s"', name);
  await show('newer car, unplugged', newer(0, 0));
  await show('newer car, full, plugged in', newer(1, 0));
  await show('older car, full, plugged in', older(3, false, 0));
  await show('older car, charging', older(3, true, 30));
  process.exit(name === 'Vehicle charging' && shown.join() === 'false,true,false,true' ? 0 : 1);
})();
EOF
node run.cjs
