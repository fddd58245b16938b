#!/usr/bin/env bash
# Expected: Where a charging station tells the register of its connector and that of its grid connection, the energy of a charge
#   is taken from the connector's.
# Instead: CitrineOS, an open back end for charging stations, takes the register that comes first in the message and does not look
#   where it was measured. A car that took 20 kWh has taken 60, what the whole station took in the meantime, if the inlet
#   comes first, and for 20 if the outlet does.
# Version: @citrineos/base 1.8.2, 30 November 2026; its function getTotalKwh.
# Matters because: Stations with direct current can have a meter on each side. The energy of other cars, of the cooling and of the
#   losses is told as that of one vehicle.
# Source: OCPP 2.0.1, part 2, LocationEnumType: Inlet is a measurement at the grid connection, Outlet one at a connector and the
#   default.
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
const registers = [['Transaction.Begin', '10:00', { Inlet: 50_000, Outlet: 12_000 }], ['Transaction.End', '11:00', { Inlet: 50_060, Outlet: 12_020 }]];
const total = (...locations) => {
  const readings = registers.map(([context, time, values]) => ({
    timestamp: `2026-11-30T${time}:00Z`,
    sampledValue: locations.map((location) => ({ value: values[location], context, location, measurand: 'Energy.Active.Import.Register', unitOfMeasure: { unit: 'kWh' } })),
  }));
  return MeterValueUtils.getTotalKwh(readings);
};
const [inlet, outlet] = [total('Inlet', 'Outlet'), total('Outlet', 'Inlet')];
console.log('@citrineos/base', version);
console.log(`connector 12000 to 12020 kWh, grid connection 50000 to 50060 kWh; energy of the charge, inlet first: ${inlet} kWh, outlet first: ${outlet} kWh`);
if (inlet !== 60 || outlet !== 20) process.exit(1);
EOF
node run.mjs
