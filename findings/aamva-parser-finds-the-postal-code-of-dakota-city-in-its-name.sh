#!/usr/bin/env bash
# Expected: A parser of the bar code on American driver's licenses finds each value behind its code of three letters at the
#   start of a line: the postal code behind DAK, the town behind DAI, the color of the eyes behind DAY.
# Instead: aamva-parser takes what follows the first place at which the letters stand, within words too. Who lives in Dakota
#   City has the postal code OTA CITY, who lives in a Daisy Lane lives in the town of SY LANE. The real values stand further
#   below and are not looked at.
# Version: aamva-parser 1.7.0, 30 November 2026; for comparison aamvajs 0.1.1.
# Matters because: Many towns and streets are called after Dakota, a daisy or a dairy. Contracts of rented and sold cars get
#   such addresses without an error.
# Source: AAMVA, DL/ID Card Design Standard, annex D: each data element begins with its ID behind the separator.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts aamva-parser@1.7.0 aamvajs@0.1.1 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { parse } = require('aamva-parser');
const AAMVA = require('aamvajs');
const card = (street, town) => {
  const elements = ['DLDAQ0000000000', 'DCSSAMPLE', 'DDEN', 'DACSAMPLE', 'DDFN', 'DADSAMPLE', 'DDGN', 'DCAO', 'DCBNONE', 'DCDNONE', 'DBD01292026', 'DBB01291990',
    'DBA01292031', 'DBC1', 'DAU070 in', 'DAYBRO', `DAG${street}`, `DAI${town}`, 'DAJNE', 'DAK000000000  ', 'DCF0', 'DCGUSA'].join('\n') + '\r';
  return `@\n\u001e\rANSI 636054100001DL0031${String(elements.length).padStart(4, '0')}${elements}`;
};
console.log('aamva-parser 1.7.0');
const shown = [['MAIN STREET', 'OMAHA'], ['MAIN STREET', 'DAKOTA CITY'], ['DAISY LANE', 'OMAHA']].map(([street, town]) => {
  const { streetAddress, city, postalCode } = parse(card(street, town));
  const other = AAMVA.raw(card(street, town)).data;
  console.log('%s, %s, 000000000: street %s, town %s, postal code %s; aamvajs: %s, %s, %s', street, town, streetAddress, city, postalCode, other.address, other.city, other.zip);
  return [streetAddress, city, postalCode, other.address === street && other.city === town && other.zip === '000000000'].join();
});
process.exit(shown.join(';') === 'MAIN STREET,OMAHA,000000000,true;MAIN STREET,DAKOTA CITY,OTA CITY,true;DAISY LANE,SY LANE,000000000,true' ? 0 : 1);
EOF
node run.cjs
