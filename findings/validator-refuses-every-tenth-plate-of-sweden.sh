#!/usr/bin/env bash
# Expected: A check of Swedish license plates accepts the three letters and three digits that cars have, 001 to 999.
# Instead: validator's isLicensePlate accepts no zero at the end: it refuses 99 of the 999 numbers, the whole tens. The
#   last place may be a letter since 2019, and the pattern names letters and 1 to 9 for it.
# Version: validator 13.15.35, 29 November 2026.
# Matters because: A form of a dealer, an insurer or a car park refuses every tenth car of Sweden, and only those, so
#   that a few tries in a test do not show it.
# Source: Transportstyrelsen: three letters, two digits, and a digit or a letter.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts validator@13.15.35 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { version, isLicensePlate } = require('validator');
const numbers = Array.from({ length: 999 }, (_, index) => String(index + 1).padStart(3, '0'));
const refused = ['ABC', 'XYZ'].map((letters) => numbers.filter((number) => !isLicensePlate(`${letters} ${number}`, 'sv-SE')));
const letters = [...'ABCDEFGHJKLMNPRSTUWXYZ'].filter((letter) => isLicensePlate(`ABC 12${letter}`, 'sv-SE'));
console.log('validator %s refuses %d of the numbers 001 to 999, %s to %s', version, refused[0].length, refused[0].slice(0, 3).join(', '), refused[0].at(-1));
console.log('with a letter in the last place it accepts %d of 22', letters.length);
if (letters.length !== 22 || refused.some((list) => list.length !== 99 || list.some((number) => !number.endsWith('0')))) process.exit(1);
EOS
node run.cjs
