#!/usr/bin/env bash
# Expected: A report of fuel from a server for trackers shows the odometer that the server tells, in kilometers.
# Instead: Traccar tells it in meters. fleetmap-reports divides it by 100 for its spreadsheet: a van with 123,456 km has
#   1,234,560. The distance of the day beside it, of the same answer, is right.
# Version: fleetmap-reports 1.0.819, 30 November 2026, with a stand-in for the answer of Traccar.
# Matters because: Dates of service, values of leases and checks of odometers come from such sheets. Nothing shows at a new
#   vehicle: 1,200 km become 12,000.
# Source: Traccar's reports, whose endOdometer is in meters; the package's own code, which divides by 1000 where it writes the same
#   report as PDF.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts fleetmap-reports@1.0.819 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { createFuelConsumptionReport, exportFuelConsumptionReportToExcel } = require('fleetmap-reports/src/fuelconsumption-report');
const trip = { deviceId: 1, startTime: '2026-11-30T08:00:00.000+0000', endTime: '2026-11-30T10:00:00.000+0000', distance: 120_000, duration: 7_200_000, spentFuel: 9, startOdometer: 123_336_000, endOdometer: 123_456_000 };
const position = { deviceId: 1, fixTime: '2026-11-30T08:00:00.000+0000', attributes: {} };
const traccar = { axios: { get: async () => ({ data: { route: [position], trips: [trip], stops: [], summary: [] } }) } };
const userData = { user: { attributes: { lang: 'en-GB' } }, groups: [], drivers: [], geofences: [], devices: [{ id: 1, name: 'van', attributes: {} }] };
const { log } = console;
console.log = () => {};
(async () => {
  const [report] = await createFuelConsumptionReport(new Date('2026-11-30T00:00:00Z'), new Date('2026-11-30T23:59:59Z'), userData, traccar);
  const [row] = exportFuelConsumptionReportToExcel(userData, report).data;
  log('fleetmap-reports', require('fleetmap-reports/package.json').version);
  log(`Traccar: ${trip.distance} m driven, odometer ${trip.endOdometer} m; spreadsheet: ${row.kms} km driven, odometer ${row.accumulated_kms} km`);
  process.exit(row.kms === '120.0' && row.accumulated_kms === '1,234,560.0' ? 0 : 1);
})();
EOF
node run.cjs
