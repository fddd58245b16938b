#!/usr/bin/env bash
# Expected: A check digit modulo 11 with different weights finds each single wrong character and each exchange of two
#   neighbors, as that of an ISBN does.
# Instead: Letters stand for the same ten values as digits, so that one single mistake in thirteen passes, and a
#   character of position 1 exchanged with that of position 11 (2 with 12, up to 7 with 17) passes always: their
#   weights are equal.
# Version: vin-validator 1.0.0, 4,000 drawn VINs, 28 November 2026.
# Matters because: A right check digit is evidence, no proof: what a person copied by hand can be another VIN that is
#   right.
# Source: 49 CFR 565.15(c), tables IV and V.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts vin-validator@1.0.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createRequire } from 'node:module';
const { validate } = createRequire(import.meta.url)('vin-validator');
let state = 7n;
const draw = (n) => Number((state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn) >> 33n) % n;
const LETTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ';
const YEARS = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const drawVin = () => {
  for (;;) {
    const vin = Array.from({ length: 17 }, (_, at) => (at >= 12 ? String(draw(10)) : at === 8 ? '0123456789X'[draw(11)] : at === 9 ? YEARS[draw(30)] : LETTERS[draw(33)])).join('');
    if (validate(vin)) return vin;
  }
};
const counts = { wrong: [0, 0], neighbors: [0, 0], tenApart: [0, 0] };
const count = (kind, vin) => {
  counts[kind][0] += Number(validate(vin));
  counts[kind][1]++;
};
const exchanged = (vin, a, b) => [...vin].map((c, at) => (at === a ? vin[b] : at === b ? vin[a] : c)).join('');
for (let round = 0; round < 4000; round++) {
  const vin = drawVin();
  for (let at = 0; at < 17; at++) {
    const other = LETTERS[draw(33)];
    if (at !== 8 && at !== 9 && other !== vin[at]) count('wrong', vin.slice(0, at) + other + vin.slice(at + 1));
    if (at < 16 && at !== 8 && at !== 7 && at !== 9 && vin[at] !== vin[at + 1]) count('neighbors', exchanged(vin, at, at + 1));
    if (at < 7 && vin[at] !== vin[at + 10]) count('tenApart', exchanged(vin, at, at + 10));
  }
}
const share = ([passed, all]) => passed / all;
console.log('passed as right: one wrong character %s %, neighbors exchanged %s %, positions ten apart exchanged %s %', ...Object.values(counts).map((pair) => (100 * share(pair)).toFixed(1)));
if (Math.abs(share(counts.wrong) - 0.076) > 0.01 || share(counts.tenApart) !== 1 || share(counts.neighbors) < 0.03) process.exit(1);
EOF
node run.mjs
