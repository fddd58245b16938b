#!/usr/bin/env bash
# Expected: A library that finds tracking numbers in texts looks for whole words, and leaves VINs alone.
# Instead: It looks inside of words. A letter and ten digits are a parcel of Amazon, so that each VIN of a WMI that
#   ends in A and a numeric type code is one; parts of others are parcels of DHL or FedEx, if their last digit happens
#   to be right.
# Version: ts-tracking-number 1.0.17, 29 November 2026.
# Matters because: Mail of workshops and auctions holds VINs: a tool that makes links of parcels links 500 of 500 serial
#   numbers of a Fiat of type 223 to a parcel nobody sent.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ts-tracking-number@1.0.17 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createRequire } from 'node:module';
const { findTracking } = createRequire(import.meta.url)('ts-tracking-number');
let state = 1;
const serial = () => String((state = (state * 48_271) % 2_147_483_647) % 1_000_000).padStart(6, '0');
const counts = {};
let example;
for (const start of ['ZFA22300006', 'XTA21070052', 'JMZKEN91800', 'VF1RFB00066', 'WVWZZZ1KZ9W']) {
  counts[start] = 0;
  for (let round = 0; round < 500; round++) {
    const found = findTracking(`The car ${start}${serial()} is sold.`);
    if (found.length > 0) counts[start] += 1;
    if (found.length > 0) example ??= `${found[0].name}, ${found[0].trackingNumber}`;
  }
}
console.log('ts-tracking-number finds a parcel (the first: %s) in so many of 500 VINs:', example);
console.log(counts);
if (counts.ZFA22300006 !== 500 || counts.XTA21070052 !== 500 || counts.WVWZZZ1KZ9W !== 0 || counts.JMZKEN91800 < 20 || counts.JMZKEN91800 > 100) process.exit(1);
EOF
node run.mjs
