#!/usr/bin/env bash
# Expected: Two packages that decode VINs agree on the year of a common car.
# Instead: For a Volkswagen of 2010 (A at position 10) universal-vin-decoder answers 1980 and car-vin-decoder 2010;
#   for a Peterbilt (R) 1994 and 2024. Neither says that there are two years.
# Version: universal-vin-decoder 1.0.0 and car-vin-decoder 1.0.1, 28 November 2026.
# Matters because: One table from letter to year has two answers for each letter.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts universal-vin-decoder@1.0.0 car-vin-decoder@1.0.1 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const { decodeVIN } = require('universal-vin-decoder');
const { vinDecoder } = require('car-vin-decoder');
const years = [];
for (const vin of ['WVWZZZ1KZAW123456', '1XPBD49X1RD612345']) years.push(Number(decodeVIN(vin).info.modelYear), (await vinDecoder(vin)).year);
console.log('universal-vin-decoder and car-vin-decoder say of a Golf %d and %d, of a truck %d and %d', ...years);
if (years.join() !== '1980,2010,1994,2024') process.exit(1);
EOF
node run.mjs
