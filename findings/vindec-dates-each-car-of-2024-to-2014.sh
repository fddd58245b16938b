#!/usr/bin/env bash
# Expected: A decoder reads the year of a car of 2024 (R at position 10) as it reads those of 2023 and 2025.
# Instead: In vindec's table of thirty codes R is 2014, as E is; the other 29 are right. A Model 3 of 2024 is from 2014, when
#   there was none.
# Version: vindec 2.7.2, 29 November 2026. Version 2.8.0 has the same table and decodes nothing: it ends with an error.
# Matters because: Its tests and those of its users pass with cars of any other year. Age, value, tax and recalls of every
#   car of one model year are ten years off, and 2014 looks like any other answer.
# Source: 49 CFR 565.15, table VII: E is 2014, R is 2024.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts vindec@2.7.2 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const vindec = require('vindec');
const values = Object.fromEntries([...'0123456789ABCDEFGHJKLMNPRSTUVWXYZ'].map((letter, place) => [letter, Number('012345678912345678123457923456789'[place])]));
const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const withCheckDigit = (vin) => {
  const rest = [...vin].reduce((sum, letter, place) => sum + (values[letter] ?? 0) * weights[place], 0) % 11;
  return vin.slice(0, 8) + (rest === 10 ? 'X' : rest) + vin.slice(9);
};
const wrong = [];
for (const [index, code] of [...'ABCDEFGHJKLMNPRSTVWXY123456789'].entries()) {
  const { vin, valid, make, year } = vindec.decode(withCheckDigit(`5YJ3E1EA_${code}F000000`));
  if (!valid) throw new Error(vin);
  if (Number(year) !== 2010 + index) wrong.push(`${vin}, ${make}, is of ${year} and not of ${2010 + index}`);
  if ('PRS'.includes(code)) console.log('vindec %s: %s %s %s', require('vindec/package.json').version, vin, make, year);
}
console.log('of 30 codes %d wrong: %s', wrong.length, wrong.join('; '));
process.exit(wrong.length === 1 && wrong[0].endsWith('is of 2014 and not of 2024') ? 0 : 1);
EOS
node run.cjs
