#!/usr/bin/env bash
# Expected: A library that accepts a VIN in small letters finds the same year in it as in capital letters. Where the tenth character
#   stands for no year, it answers 0, as its documentation says.
# Instead: Each VIN with a small letter in the tenth place is one of 2009, whatever its year. So is one whose tenth character is 0,
#   which is no code of a year and which makers outside of North America use. A VIN in small letters is valid without a year, and is
#   refused with its own.
# Version: @vroomlabs/vin-validate 1.0.2, 30 November 2026.
# Matters because: People type small letters, and files hold them. A car of 2021 passes the check, and then goes through prices and
#   recalls as one of 2009. A form that asks for the year as well refuses both together, although both are right.
# Source: The library's own comment on yearFromVin: the year, or 0 if it fails; 49 CFR 565.15(d), table of the codes of years.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @vroomlabs/vin-validate@1.0.2 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { checkDigitFromVin, vinValidate, yearFromVin } = require('@vroomlabs/vin-validate');
console.log('@vroomlabs/vin-validate', require('@vroomlabs/vin-validate/package.json').version);
const codes = { 2013: 'D', 2018: 'J', 2021: 'M', 2026: 'T' };
const results = Object.entries(codes).map(([text, code]) => {
  const year = Number(text);
  const draft = `1FTFW1ET0${code}FA00017`;
  const capital = draft.slice(0, 8) + checkDigitFromVin(draft) + draft.slice(9);
  const small = capital.toLowerCase();
  const reasons = [];
  const row = { year, capital: yearFromVin(capital), small: yearFromVin(small), valid: vinValidate(small), withYear: vinValidate(small, year, reasons) };
  console.log(`${capital}: ${row.capital}; ${small}: ${row.small}, ${row.valid ? 'valid' : 'refused'}, with the year ${year} ${row.withYear ? 'valid' : `refused (${reasons.join(' ')})`}`);
  return row;
});
const european = yearFromVin('VF32A5FWF0A000017');
console.log(`VF32A5FWF0A000017: ${european}`);
const asStated = results.every(({ year, capital, small, valid, withYear }) => capital === year && small === 2009 && valid && !withYear);
process.exit(asStated && european === 2009 ? 0 : 1);
EOS
node run.cjs
