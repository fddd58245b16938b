#!/usr/bin/env bash
# Expected: VINs of a generator that takes the first characters of real cars end in digits.
# Instead: Many of its VINs have a letter among the last four characters: the whole serial number is drawn from
#   letters and digits.
# Version: vin-generator 1.0.1, 28 November 2026.
# Matters because: Software that is tested with such VINs cannot use the rule that parts a VIN from a word of 17
#   letters, such as a column heading.
# Source: ISO 3779: the last four characters are digits; 49 CFR 565.15: the last five of passenger cars.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts vin-generator@1.0.1 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createRequire } from 'node:module';
const { generateVin } = createRequire(import.meta.url)('vin-generator');
const vins = Array.from({ length: 20_000 }, () => generateVin());
const odd = vins.filter((vin) => !/\d{4}$/.test(vin));
console.log('of 20,000 VINs of vin-generator %d have a letter among the last four characters', odd.length);
if (odd.length < 2_000) process.exit(1);
EOF
node run.mjs
