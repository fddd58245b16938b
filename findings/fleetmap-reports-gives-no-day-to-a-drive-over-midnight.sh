#!/usr/bin/env bash
# Expected: In a report of kilometers by day, the days of a driver add up to what was driven.
# Instead: fleetmap-reports counts for a day of a driver the trips that begin and end on it. A trip across midnight is in none: a
#   driver who drove 300 km from 22:00 to 02:00 and 50 km at noon has 0 and 50 km. The sum without days is 350, and the days of the
#   vehicle, of the same trips, are 300 and 50.
# Version: fleetmap-reports 1.0.819, 30 November 2026, with a stand-in for the answers of Traccar.
# Matters because: Trucks and buses are driven at night. Wages, private kilometers and checks of working days come from such
#   reports, and the longest drives are those that are gone.
# Source: The package itself: its sum for the driver, and its days for the vehicle.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts fleetmap-reports@1.0.819 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { createKmsReport } = require('fleetmap-reports/src/kms-report');
const trip = (startTime, endTime, kilometers) => ({ deviceId: 1, driverUniqueId: 'D1', startTime: `2026-11-${startTime}:00.000+0000`, endTime: `2026-11-${endTime}:00.000+0000`, distance: kilometers * 1000, averageSpeed: 40 });
const traccar = {
  axios: { get: async () => ({ data: { route: [], trips: [trip('24T22:00', '25T02:00', 300), trip('25T12:00', '25T13:00', 50)], stops: [], summary: [] } }) },
  reports: { reportsEventsGet: async () => ({ data: [{ deviceId: 1, attributes: { driverUniqueId: 'D1' } }] }) },
};
const { log } = console;
console.log = () => {};
const report = async (options) => {
  const userData = { user: { attributes: { lang: 'en-GB', timezone: 'UTC' } }, groups: [], geofences: [], devices: [{ id: 1, name: 'truck', attributes: {} }], drivers: [{ id: 1, name: 'driver', uniqueId: 'D1', attributes: {} }], ...options };
  const [{ drivers, devices }] = await createKmsReport(new Date('2026-11-24T00:00:00Z'), new Date('2026-11-25T23:59:59Z'), userData, traccar);
  const [{ days, summary }] = drivers ?? devices;
  return (days ? days.map(({ kms }) => kms / 1000) : [summary.distance / 1000]).join(' and ');
};
(async () => {
  const answers = [await report({ byDriver: true, groupByDay: true }), await report({ byDriver: true }), await report({ groupByDay: true })];
  log('fleetmap-reports', require('fleetmap-reports/package.json').version);
  log('driven: 300 km from 22:00 to 02:00, 50 km at noon; kilometers of the two days of the driver: %s; sum of the driver: %s; days of the truck: %s', ...answers);
  process.exit(answers.join() === '0 and 50,350,300 and 50' ? 0 : 1);
})();
EOF
TZ=UTC node run.cjs
