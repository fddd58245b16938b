#!/usr/bin/env bash
# Expected: A library takes the country of the maker from the first two characters of a VIN.
# Instead: The patterns of Germany, Russia and the United States in vehicle-identification-number match anywhere: W
#   with a letter is Germany, X with a letter or a digit from 3 is Russia, 4 or 5 with a letter the United States,
#   unless a country that comes before them in its list fits. Of Honda Accords of 2003 one in eleven, those whose check
#   digit is X, are from Russia. A Volkswagen of Mexico or Brazil is from Germany, a Renault of Brazil from the United
#   States.
# Version: vehicle-identification-number 1.0.0, 29 November 2026.
# Matters because: Ten of eleven cars of the same plant are right, and a test most probably has one of them. Customs
#   and checks against sanctions go by the country. Give such patterns the first two characters only.
# Source: ISO 3780: positions 1 and 2 stand for the country; 49 CFR 565.15(c): a check digit of ten is X.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts vehicle-identification-number@1.0.0 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const VIN = require('vehicle-identification-number');
const countries = { US: 0, RU: 0 };
let russian;
for (let serial = 1; serial <= 1100; serial++) {
  const blank = `1HGCM82603A${String(serial).padStart(6, '0')}`;
  const vin = blank.slice(0, 8) + VIN.calculateChecksum(blank) + blank.slice(9);
  const { country } = VIN.parse(vin);
  countries[country]++;
  if (country === 'RU') russian ??= vin;
  if ((country === 'RU') !== (vin[8] === 'X')) process.exit(1);
}
console.log('of 1100 Honda Accords of Ohio %d are from the United States, %d from Russia, such as %s', countries.US, countries.RU, russian);
const others = { '3VWFE21C04M000001': 'Volkswagen, Mexico', '9BWZZZ377VT123456': 'Volkswagen, Brazil', '93Y4SRD64FJ123456': 'Renault, Brazil' };
const found = Object.entries(others).map(([vin, name]) => {
  console.log('%s (%s): %s', vin, name, VIN.getCountry(vin));
  return VIN.getCountry(vin);
});
process.exit(countries.RU === 100 && found.join() === 'DE,DE,US' ? 0 : 1);
EOS
node run.cjs
