#!/usr/bin/env bash
# Expected: A Tesla whose odometer stands at 31,000 miles (49,890 km) and that charges at 100 miles an hour is shown in a home that
#   counts in kilometers with 49,890 km and 161 km/h.
# Instead: ioBroker's adapter for Teslemetry shows 31,000 km and 100 km/h. It passes the miles on and writes kilometers behind them,
#   for the odometer, the speed and the charge, even where the name of the signal ends with MilePerHour. Both ways that the numbers
#   come, when asked for and by themselves, are the same in this.
# Version: iobroker.teslemetry 0.2.5, 30 November 2026; the adapter's own code, with a stand-in for ioBroker.
# Matters because: More than a third of the distance is missing. A leased car seems to be far from its limit when it has passed it, a
#   service seems not to be due, and a mileage log for the tax office is wrong from its first day. Tesla sends miles to every country,
#   whatever the display of the car shows.
# Source: Tesla Fleet API, available data: Odometer and VehicleSpeed in miles and miles per hour, ChargeRateMilePerHour; issue 335 of
#   Tesla's fleet-telemetry, where Tesla leaves it so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack --silent iobroker.teslemetry@0.2.5 > npm.log 2>&1
tar -xzf iobroker.teslemetry-0.2.5.tgz
cat > run.cjs <<'EOF'
const { StateManager } = require('./package/build/lib/StateManager.cjs');
const vin = '5YJ3E7EB0KF000017';
const units = new Map();
const values = new Map();
const adapter = {
  log: console,
  setObjectNotExistsAsync: async (id, { common }) => units.set(id, common.unit),
  setStateAsync: async (id, value) => values.set(id, value),
};
function show(way) {
  const names = ['drive.odometer', 'location.speed', 'charge.charge_rate'];
  const shown = names.map((name) => `${values.get(`vehicles.${vin}.${name}`)} ${units.get(`vehicles.${vin}.${name}`)}`);
  console.log(`${way}: ${names.map((name, index) => `${name} ${shown[index]}`).join(', ')}`);
  return shown.join();
}
(async () => {
  const states = new StateManager(adapter);
  await states.createVehicleStates({ vin, display_name: 'car', model: '3' });
  console.log('iobroker.teslemetry', require('./package/package.json').version);
  console.log('Tesla sends: 31000 miles, 75 miles per hour, charging at 100 miles per hour');
  await states.updateVehicleData(vin, { response: { vehicle_state: { odometer: 31_000 }, drive_state: { speed: 75 }, charge_state: { charge_rate: 100 } } });
  const asked = show('asked for');
  values.clear();
  await states.updateVehicleDataFromSignals(vin, { Odometer: 31_000, VehicleSpeed: 75, ChargeRateMilePerHour: 100 });
  const sent = show('sent by itself');
  process.exit(asked === '31000 km,75 km/h,100 km/h' && sent === asked ? 0 : 1);
})();
EOF
node run.cjs
