#!/usr/bin/env bash
# Expected: The consumption of a vehicle in the total of a report is all of its kilometers by all of its liters.
# Instead: For users in Brazil, where consumption is told in kilometers per liter, fleetmap-reports takes the mean of the days,
#   weighted by kilometers. That is right for liters per 100 km, not for its reciprocal: days of 150 km with 30 and with 10 liters
#   are 10 km/l in the total, though 300 km with 40 liters, in the same row, are 7.5. Other countries get 13.3 l/100 km, which is right.
# Version: fleetmap-reports 1.0.819, 30 November 2026, with a stand-in for the answer of Traccar.
# Matters because: Where each day has its fuel, the total is never below the truth, and the more a vehicle's days differ, the
#   thriftier it looks. Divide the row's kilometers by its liters.
# Source: The row itself, and the same report in another language.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts fleetmap-reports@1.0.819 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { createFuelConsumptionReport, exportFuelConsumptionReportToExcel } = require('fleetmap-reports/src/fuelconsumption-report');
const trip = (day, spentFuel) => ({ deviceId: 1, startTime: `2026-11-${day}T08:00:00.000+0000`, endTime: `2026-11-${day}T11:00:00.000+0000`, distance: 150_000, duration: 10_800_000, spentFuel, endOdometer: 0 });
const stop = (day) => ({ deviceId: 1, startTime: `2026-11-${day}T11:00:00.000+0000`, endTime: `2026-11-${day}T12:00:00.000+0000`, spentFuel: 0 });
const position = { deviceId: 1, fixTime: '2026-11-24T08:00:00.000+0000', attributes: {} };
const traccar = { axios: { get: async () => ({ data: { route: [position], trips: [trip(24, 30), trip(25, 10)], stops: [stop(24), stop(25)], summary: [] } }) } };
const { log } = console;
console.log = () => {};
const rows = async (lang) => {
  const userData = { user: { attributes: { lang } }, groups: [], drivers: [], geofences: [], devices: [{ id: 1, name: 'van', attributes: {} }] };
  const [report] = await createFuelConsumptionReport(new Date('2026-11-24T00:00:00Z'), new Date('2026-11-25T23:59:59Z'), userData, traccar);
  return exportFuelConsumptionReportToExcel(userData, report).data.slice(0, 3);
};
(async () => {
  log('fleetmap-reports', require('fleetmap-reports/package.json').version);
  const totals = [];
  for (const [lang, unit] of [['pt-BR', 'km/l'], ['en-GB', 'l/100 km']]) {
    const [first, second, total] = await rows(lang);
    totals.push([total.kms, total.consumption, total.avg_consumption].join(' '));
    log(`${lang}: days of ${first.avg_consumption} and ${second.avg_consumption} ${unit}; total: ${total.kms} km, ${total.consumption} l, ${total.avg_consumption} ${unit}`);
  }
  process.exit(totals.join() === '300,0 40,0 10,0,300.0 40.0 13.3' ? 0 : 1);
})();
EOF
node run.cjs
