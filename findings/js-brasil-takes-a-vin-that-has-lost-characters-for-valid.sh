#!/usr/bin/env bash
# Expected: A library for Brazilian documents that checks the VIN (chassi) of a vehicle refuses one of 16 characters.
# Instead: It is valid, and so is what is left of it down to four digits: only more than 17 characters are refused. The rule in the
#   library's own words refuses any number of characters but 17.
# Version: js-brasil 2.8.0, 30 November 2026.
# Matters because: A character lost in typing or in a scan is the most common fault beside a wrong one, and the check digit is not
#   required in Brazil. The VIN goes into the contract or the insurance, and the vehicle is not found again.
# Source: ISO 3779: a VIN has 17 characters; the comment on rule 6 in the library's source.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund js-brasil@2.8.0 > npm.log 2>&1
cat > run.cjs <<'EOF'
const { readFileSync } = require('node:fs');
const { validateBr } = require('js-brasil');
const vins = {
  '9BWZZZ377VT000017': '17 characters',
  '9BWZZZ37VT000017': 'one lost',
  '9BWZZZ377VT00017': 'one lost from the serial number',
  VT000017: 'the last eight',
  '1017': 'four digits',
  '9BWZZZ377VT0000170': 'one too many',
};
console.log('js-brasil', JSON.parse(readFileSync('node_modules/js-brasil/package.json')).version);
const answers = new Map(Object.entries(vins).map(([vin, name]) => [vin, validateBr.chassi(vin) && name]));
for (const [vin, valid] of answers) console.log(`${vin} (${vins[vin]}): ${valid ? 'valid' : 'not valid'}`);
const short = ['9BWZZZ37VT000017', '9BWZZZ377VT00017', 'VT000017', '1017'];
process.exit(short.every((vin) => answers.get(vin)) && answers.get('9BWZZZ377VT000017') && !answers.get('9BWZZZ377VT0000170') ? 0 : 1);
EOF
node run.cjs
