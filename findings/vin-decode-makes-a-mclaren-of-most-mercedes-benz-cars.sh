#!/usr/bin/env bash
# Expected: A decoder that names makers by the first three characters knows those of a maker of millions of cars.
# Instead: For vin-decode WDD, which Mercedes-Benz cars from the A-Class to the S-Class had for some fifteen years, is
#   McLaren. The WMI that McLaren has, SBM, is unknown to it. WDB, of older Mercedes-Benz cars, is right.
# Version: vin-decode 0.2.0, 29 November 2026.
# Matters because: Insurance premiums, customs values and checks against theft go by the maker, and a trial with an
#   older car is right. Compare such a table with a list of an authority before it is used.
# Source: NHTSA's list of WMIs: WDD is Mercedes-Benz, passenger cars; SBM is McLaren.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts vin-decode@0.2.0 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { default: decoder } = require('vin-decode');
const cars = { 'C-Class': 'WDD2050041F123456', 'E-Class': 'WDD2120021A123456', 'W124 of 1990': 'WDB1240301B123456', McLaren: 'SBM11AAA4CW012345' };
const makers = Object.entries(cars).map(([car, vin]) => {
  const { manufacturer } = decoder(vin).decode();
  console.log('vin-decode says of a car (%s), %s: %s', car, vin, manufacturer);
  return manufacturer;
});
process.exit(makers.join() === 'McLaren,McLaren,Mercedes-Benz,' ? 0 : 1);
EOS
node run.cjs
