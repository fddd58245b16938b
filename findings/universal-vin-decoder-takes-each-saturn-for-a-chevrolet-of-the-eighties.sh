#!/usr/bin/env bash
# Expected: A decoder that gives a year and a maker gives a maker who built cars in that year.
# Instead: universal-vin-decoder has years in the names of some makers, and does not compare them with the year that it
#   decodes. 1G8, which is Saturn in NHTSA's list, has one name, and each Saturn sedan is a "Chevrolet MPV/SUV
#   1981-1986" of model year 1999 or 2005. Saturn's other WMI, 5GZ, is right.
# Version: universal-vin-decoder 1.0.0, 29 November 2026.
# Matters because: All sedans of Saturn, of 1991 to 2010, begin with 1G8, and the answer contradicts itself only for a
#   reader. A table of makers with years has to be asked with the year.
# Source: NHTSA's list of WMIs: 1G8 is Saturn, passenger cars.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts universal-vin-decoder@1.0.0 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { decodeVIN } = require('universal-vin-decoder');
const cars = { 'Saturn SL': '1G8ZH1278XZ123456', 'Saturn Ion': '1G8AJ52F25Z123456', 'Saturn Vue': '5GZCZ43D74S123456' };
const answers = Object.entries(cars).map(([car, vin]) => {
  const { manufacturer, modelYear } = decodeVIN(vin).info;
  console.log('universal-vin-decoder says of a %s, %s: %s, model year %s', car, vin, manufacturer, modelYear);
  return `${manufacturer} ${modelYear}`;
});
process.exit(answers.join() === 'Chevrolet MPV/SUV 1981-1986 1999,Chevrolet MPV/SUV 1981-1986 2005,Saturn MPV/SUV 2004' ? 0 : 1);
EOS
node run.cjs
