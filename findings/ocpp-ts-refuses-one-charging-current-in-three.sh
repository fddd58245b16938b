#!/usr/bin/env bash
# Expected: A charging station that follows OCPP 1.6 accepts a limit with one decimal, such as 8.1 A, the example of the
#   standard.
# Instead: ocpp-ts refuses 82 of the 261 currents from 6.0 to 32.0 A, among them 8.1, as not conforming. The schema asks
#   for a multiple of 0.1, and 8.1 / 0.1 is not a whole number in floating point.
# Version: ocpp-ts 0.3.0, 29 November 2026.
# Matters because: The car goes on with the limit that it had, so that a house with solar power or a shared connection
#   draws more than it may, for one current in three. Whole and half amperes always pass, and so do tests with them.
# Source: Open Charge Alliance, OCPP 1.6, ChargingSchedulePeriod: limit, with at most one digit after the point.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ocpp-ts@0.3.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { EventEmitter } = require('node:events');
const { Protocol } = require('ocpp-ts/dist/src/impl/Protocol.js');
const answerTo = (limit) =>
  new Promise((resolve) => {
    const [station, socket] = [new EventEmitter(), new EventEmitter()];
    socket.send = (text) => resolve(JSON.parse(text));
    station.on('SetChargingProfile', (request, accept) => accept({ status: 'Accepted' }));
    const protocol = new Protocol(station, socket);
    const chargingSchedule = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit }] };
    const csChargingProfiles = { chargingProfileId: 1, stackLevel: 0, chargingProfilePurpose: 'TxDefaultProfile', chargingProfileKind: 'Relative', chargingSchedule };
    protocol.onMessage(JSON.stringify([2, '1', 'SetChargingProfile', { connectorId: 1, csChargingProfiles }]));
  });
(async () => {
  const limits = Array.from({ length: 261 }, (_, index) => (60 + index) / 10);
  const answers = await Promise.all(limits.map(answerTo));
  const refused = limits.filter((_, index) => answers[index][0] === 4);
  console.log('ocpp-ts %s refuses %d of %d currents from 6.0 to 32.0 A: %s ...', require('ocpp-ts/package.json').version, refused.length, limits.length, refused.slice(0, 8).join(', '));
  const [, , code, , errors] = answers[limits.indexOf(8.1)];
  console.log('8.1 A: %s, %s', code, errors[0].message);
  const ok = refused.length === 82 && refused.includes(8.1) && !refused.some((limit) => Number.isInteger(limit * 2)) && errors[0].keyword === 'multipleOf';
  process.exit(ok ? 0 : 1);
})();
EOF
node run.cjs
