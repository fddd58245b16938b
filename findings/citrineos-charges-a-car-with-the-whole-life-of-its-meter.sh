#!/usr/bin/env bash
# Expected: The energy of a charge is the last reading of the register less the first one, whichever register the station has.
# Instead: So it is in CitrineOS, an open back end for charging stations, with the register of imported energy. Where a station
#   has the register of net energy alone (Energy.Active.Net), the energy of the charge is the last reading itself: 12,020 kWh
#   for a car that took 20.
# Version: @citrineos/base 1.8.2, 30 November 2026; its function getTotalKwh.
# Matters because: Stations for cars that feed back can measure net energy. Whoever bills by that number, or reckons the
#   consumption of a vehicle from it, has some hundred charges instead of one.
# Source: OCPP 2.0.1, part 2, MeasurandEnumType: Energy.Active.Net is a value read from the register of net active energy, as
#   Energy.Active.Import.Register is one read from that of imported energy.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @citrineos/base@1.8.2 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { readFileSync } from 'node:fs';
import { MeterValueUtils } from '@citrineos/base';
const { version } = JSON.parse(readFileSync('node_modules/@citrineos/base/package.json', 'utf8'));
const reading = (time, context, measurand, value) => ({ timestamp: `2026-11-30T${time}:00Z`, sampledValue: [{ value, context, measurand, unitOfMeasure: { unit: 'kWh' } }] });
const total = (measurand) => MeterValueUtils.getTotalKwh([reading('10:00', 'Transaction.Begin', measurand, 12_000), reading('11:00', 'Transaction.End', measurand, 12_020)]);
const [imported, net] = ['Energy.Active.Import.Register', 'Energy.Active.Net'].map(total);
console.log('@citrineos/base', version);
console.log(`register at the begin 12000 kWh, at the end 12020 kWh; energy of the charge, imported: ${imported} kWh, net: ${net} kWh`);
if (imported !== 20 || net !== 12_020) process.exit(1);
EOF
node run.mjs
