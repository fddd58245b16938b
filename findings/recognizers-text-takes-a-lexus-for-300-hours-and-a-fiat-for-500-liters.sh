#!/usr/bin/env bash
# Expected: A library that finds amounts in texts leaves the names of cars alone.
# Instead: Recognizers-Text takes a number and the letter behind it for an amount: a Fiat 500 L is 500 liters, an Audi
#   100 C a temperature, an Audi A4 2.0 T two tons, a Peugeot 206 CC 206 milliliters, a Lexus IS 300 h a duration of
#   300 hours, a Skoda Octavia RS 245 a sum in rupees, and a Peugeot 2008 a year.
# Version: @microsoft/recognizers-text-suite 1.3.1, culture en-us, 29 November 2026.
# Matters because: Chat bots and forms for dealers and workshops use it to read amounts, dates and prices from what
#   customers write. Look for names of models first, and take them out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @microsoft/recognizers-text-suite@1.3.1 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const recognizers = require('@microsoft/recognizers-text-suite');
const kinds = ['recognizeDateTime', 'recognizeDimension', 'recognizeTemperature', 'recognizeCurrency'];
const cars = { 'Fiat 500 L': '500 Liter', 'Audi 100 C': '100 C', 'Audi A4 2.0 T': '2 Ton', 'Peugeot 206 CC': '206 Milliliter', 'Lexus IS 300 h': 'PT300H', 'Skoda Octavia RS 245': '2.45 Rupee', 'Peugeot 2008': '2008', 'Saab 9-3': '', 'Volkswagen Golf 7': '' };
for (const [car, expected] of Object.entries(cars)) {
  const found = kinds.flatMap((kind) => recognizers[kind](`${car} for sale`, 'en-us')).map(({ resolution }) => resolution.values?.[0].timex ?? `${resolution.value} ${resolution.unit}`);
  console.log('Recognizers-Text finds in "%s for sale": %s', car, found.join() || 'nothing');
  if (found.join() !== expected) process.exitCode = 1;
}
EOF
node run.cjs
