#!/usr/bin/env bash
# Expected: A field for the consumption of electric cars has one unit, or another field says which one a value has.
# Instead: BMW's catalog gives one field for kWh/100 km and for mi/kWh, with an empty unit. The one grows as the car uses
#   more, the other as it uses less: 4 is a wonder or a usual car. Energy won back is given per 100 km or per 62 miles,
#   also in one field. There is a field for the display's unit of distances, and none for that of consumption.
# Version: BMW's catalog of telematic data in iobroker.bmw 5.0.2, 29 November 2026.
# Matters because: These are the data that owners get by VIN under the EU Data Act. An average over cars of both kinds
#   means nothing, and a car set to miles is the most thrifty one of the fleet, or the thirstiest.
# Source: The description and the range of values in the catalog itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iobroker.bmw@5.0.2 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const catalog = require('iobroker.bmw/telematic.json');
const find = (name) => catalog.find(({ technical_identifier: id }) => id === name);
const consumption = find('vehicle.drivetrain.avgElectricRangeConsumption');
const recuperation = find('vehicle.trip.segment.accumulated.drivetrain.electricEngine.recuperationTotal');
console.log('iobroker.bmw %s', require('iobroker.bmw/package.json').version);
for (const { technical_identifier: id, data_type: type, unit, typical_value_range: range } of [consumption, recuperation]) console.log('%s: %s, unit "%s", %s', id, type, unit, range);
for (const value of [4, 20]) console.log('%d is %d or %s kWh/100 km', value, value, (100 / (value * 1.609344)).toFixed(1));
const units = catalog.filter(({ technical_identifier: id }) => /unit$|displayUnit/i.test(id)).map(({ technical_identifier: id }) => id);
console.log('fields that tell a unit: %s', units.join(', '));
if (consumption.unit !== '' || recuperation.unit !== '' || units.length !== 2 || units.some((id) => !id.toLowerCase().includes('distance')) || !/kWh\/100 km .* mi\/kWh/.test(consumption.typical_value_range) || !/kWh\/100 km .* kWh\/62 mi/.test(recuperation.typical_value_range)) process.exit(1);
EOF
node run.cjs
