#!/usr/bin/env bash
# Expected: The pattern that a VIN library exports says the same of a VIN each time, so that it can filter a list.
# Instead: It is a regular expression with the flag g, which remembers the place behind a match: of a list of right VINs,
#   `test` refuses every second one. The library's own function answers true for each of them.
# Version: @vroomlabs/vin-validate 1.0.2, 28 November 2026.
# Matters because: A program that filters an import with the exported pattern loses half of the cars, and a trial with one VIN
#   shows nothing of it.
# Source: ECMA-262, RegExp.prototype.test with the flag g; the VINs have a right check digit (49 CFR 565.15(c)).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @vroomlabs/vin-validate@1.0.2 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { vinPattern, vinValidate } = require('@vroomlabs/vin-validate');
const vins = ['1HGCM82633A004352', '1M8GDM9AXKP042788', '1HGCM82633A004352', '1M8GDM9AXKP042788'];
const [byPattern, byFunction] = [vins.filter((vin) => vinPattern.test(vin)), vins.filter((vin) => vinValidate(vin))];
console.log('of %d right VINs, the pattern lets %d through, and the function %d', vins.length, byPattern.length, byFunction.length);
if (byPattern.length !== 2 || byFunction.length !== 4) process.exit(1);
EOS
node run.cjs
