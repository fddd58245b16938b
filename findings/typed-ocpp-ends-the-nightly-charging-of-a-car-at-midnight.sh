#!/usr/bin/env bash
# Expected: A daily charging profile of OCPP 1.6 that begins at 22:00 and lasts eight hours holds until 06:00.
# Instead: typed-ocpp's ChargingManager, asked for a time after midnight, lets the profile begin at 22:00 of that day:
#   between 00:00 and 06:00 there is none, and it answers with its default, 4200 to 6000 W, though it was asked in
#   amperes. Asked in the evening for the whole night, it has the right schedule.
# Version: typed-ocpp 1.6.2, 29 November 2026; its documentation calls the class experimental.
# Matters because: Cars charge at night. The car gets 16 A until midnight and another current from then on, and a test
#   in the daytime or of the whole schedule does not show it.
# Source: Open Charge Alliance, OCPP 1.6, RecurrencyKindType: a daily schedule restarts every 24 hours, at the time of
#   its startSchedule.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts typed-ocpp@1.6.2 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { Models, OCPP16 } from 'typed-ocpp';
const manager = new OCPP16.ChargingManager();
const chargingSchedule = { startSchedule: '2026-11-01T22:00:00Z', duration: 8 * 3600, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] };
const csChargingProfiles = { chargingProfileId: 1, stackLevel: 0, chargingProfilePurpose: 'TxDefaultProfile', chargingProfileKind: 'Recurring', recurrencyKind: 'Daily', chargingSchedule };
manager.setChargingProfile({ connectorId: 1, csChargingProfiles });
const model = new Models.ACChargingStation(230);
const name = ({ charging: { max }, unit }) => `${max} ${unit}`;
console.log('typed-ocpp 1.6.2, 16 A from 22:00 for eight hours, every day (UTC):');
const limits = ['2026-11-10T22:30:00Z', '2026-11-10T23:30:00Z', '2026-11-11T00:30:00Z', '2026-11-11T05:30:00Z', '2026-11-11T22:30:00Z'].map((time) => {
  const limit = name(manager.getConnectorLimitsAtDate(new Date(time), 1, 'A', model, 3, false));
  console.log('asked at %s: %s', time, limit);
  return limit;
});
const night = manager.getConnectorSchedule(new Date('2026-11-10T20:00:00Z'), new Date('2026-11-11T12:00:00Z'), 1, 'A', model, 3, false);
const [, charging] = night;
console.log('asked for the night: %s from %s to %s', name(charging.data), charging.start.toISOString(), charging.end.toISOString());
if (limits.join(', ') !== '16 A, 16 A, 6000 W, 6000 W, 16 A' || charging.end.toISOString() !== '2026-11-11T06:00:00.000Z') process.exit(1);
EOF
TZ=UTC node run.mjs
