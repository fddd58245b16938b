#!/usr/bin/env bash
# Expected: A library for numbers and units of all countries makes 5.6 L/100 km of 0.056 L/km.
# Instead: iLib, told to convert liters per kilometer to liters per 100 kilometers, divides by 100 instead of multiplying:
#   0.00056, a ten-thousandth. The way back is right, and so are its other nineteen pairs of units of consumption, so that
#   there and back again is a ten-thousandth, too.
# Version: ilib 14.22.0, 29 November 2026.
# Matters because: Programs that count liters and kilometers have liters per kilometer, and it is what ICU writes for cars in
#   Japan, Korea and Brazil. Over kilometers per liter the library gets it right.
# Source: 1 L/km is 100 L/100 km.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ilib@14.22.0 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const MeasurementFactory = require('ilib/lib/MeasurementFactory.js');
const gallon = { us: 3.785411784, imperial: 4.54609 };
// Each unit as what 5.6 L/100 km are in it.
const car = {
  'liter-per-100-kilometer': 5.6,
  'liter-per-kilometer': 0.056,
  'kilometer-per-liter': 100 / 5.6,
  'mile-per-gallon': (100 / 5.6 / 1.609344) * gallon.us,
  'mile-per-gallon-imperial': (100 / 5.6 / 1.609344) * gallon.imperial,
};
const convert = (amount, from, to) => MeasurementFactory({ unit: from, amount }).convert(to);
const wrong = [];
let pairs = 0;
for (const [from, amount] of Object.entries(car)) {
  for (const [to, right] of Object.entries(car)) {
    if (from === to) continue;
    pairs += 1;
    const given = convert(amount, from, to);
    if (!(Math.abs(given / right - 1) < 0.001)) wrong.push(`${amount} ${from} is ${given.toPrecision(3)} ${to}, not ${right}`);
  }
}
console.log('iLib %s: of %d pairs %d right; wrong: %s', require('ilib/package.json').version, pairs, pairs - wrong.length, wrong.join('; '));
console.log('5.6 L/100 km there and back: %s', convert(convert(5.6, 'liter-per-100-kilometer', 'liter-per-kilometer'), 'liter-per-kilometer', 'liter-per-100-kilometer').toPrecision(3));
process.exit(pairs === 20 && wrong.join() === '0.056 liter-per-kilometer is 0.000560 liter-per-100-kilometer, not 5.6' ? 0 : 1);
EOS
node run.cjs
