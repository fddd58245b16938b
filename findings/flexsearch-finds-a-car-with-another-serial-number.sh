#!/usr/bin/env bash
# Expected: A full-text index of VINs, each a word without spaces, finds nothing for a VIN that is not in it.
# Instead: FlexSearch cuts words where letters meet digits and numbers into groups of three, and finds every text that
#   has the groups, in any order. For WVWZZZ1KZ9W456123 it answers WVWZZZ1KZ9W123456. In a list of 20,000 Golfs
#   one search in thirty for a serial number that is not there answers another car.
# Version: flexsearch 0.8.212 with the settings it has by itself, 28 November 2026.
# Matters because: A stock list, a parts shop or a recall page that is searched by VIN shows a vehicle that is not the
#   one asked for, with the same make and model and without a word. Compare the whole VIN with what was found.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts flexsearch@0.8.212 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import FlexSearch from 'flexsearch';
const one = new FlexSearch.Index();
one.add('WVWZZZ1KZ9W123456', 'WVWZZZ1KZ9W123456');
const swapped = one.search('WVWZZZ1KZ9W456123');
console.log('searching for WVWZZZ1KZ9W456123 in a list with WVWZZZ1KZ9W123456 alone: found %s', swapped.join() || 'nothing');
let state = 1;
const serial = () => {
  state = (state * 48_271) % 2_147_483_647;
  return `WVWZZZ1KZ9W${String(state % 1_000_000).padStart(6, '0')}`;
};
const list = new FlexSearch.Index();
const known = new Set();
while (known.size < 20_000) known.add(serial());
for (const vin of known) list.add(vin, vin);
let asked = 0;
let wrong = 0;
while (asked < 3_000) {
  const vin = serial();
  if (known.has(vin)) continue;
  asked += 1;
  if (list.search(vin).length > 0) wrong += 1;
}
console.log('of %d VINs that are not among 20,000 of the same model, %d find another car', asked, wrong);
if (swapped.join() !== 'WVWZZZ1KZ9W123456' || wrong < 60 || wrong > 150) process.exit(1);
EOF
node run.mjs
