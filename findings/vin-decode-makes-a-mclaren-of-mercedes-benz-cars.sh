#!/usr/bin/env bash
# Expected: Decoders that name makers by the first three characters know those of makers of millions of cars.
# Instead: For vin-decode and car-vin-decoder WDD, which Mercedes-Benz cars from the A-Class to the S-Class had for
#   some fifteen years, is McLaren, and JA3 and JA4, cars of Mitsubishi, are Isuzu. The WMI that McLaren has, SBM, is
#   unknown to both. WDB, of older Mercedes-Benz cars, is right.
# Version: vin-decode 0.2.0 and car-vin-decoder 1.0.1, 29 November 2026.
# Matters because: Insurance premiums, customs values and checks against theft go by the maker, and a trial with an
#   older car is right. That two packages agree says nothing: they have one table. Compare it with a list of an
#   authority before it is used.
# Source: NHTSA's list of WMIs: WDD is Mercedes-Benz, JA3 and JA4 Mitsubishi, SBM McLaren.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts vin-decode@0.2.0 car-vin-decoder@1.0.1 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { default: vinDecode } = require('vin-decode');
const { vinDecoder } = require('car-vin-decoder');
const cars = {
  'Mercedes-Benz C-Class': 'WDD2050041F123456',
  'Mercedes-Benz 300 E of 1990': 'WDB1240301B123456',
  'Mitsubishi Lancer': 'JA3AJ26E12U123456',
  'Mitsubishi Outlander': 'JA4AZ3A30LZ123456',
  McLaren: 'SBM11AAA4CW012345',
};
const makers = Object.entries(cars).map(([car, vin]) => {
  const found = [vinDecode(vin).decode().manufacturer, vinDecoder(vin).manufacturer].map((maker) => maker || 'nothing');
  console.log('vin-decode and car-vin-decoder say of a car (%s), %s: %s', car, vin, found.join(' and '));
  return found.join();
});
process.exit(makers.join(' ') === 'McLaren,McLaren Mercedes-Benz,Mercedes Isuzu,Isuzu Isuzu,Isuzu nothing,nothing' ? 0 : 1);
EOS
node run.cjs
