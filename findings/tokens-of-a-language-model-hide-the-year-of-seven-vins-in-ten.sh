#!/usr/bin/env bash
# Expected: A language model that is asked for the year of a VIN sees its tenth character, as it sees a letter of a word.
# Instead: It sees tokens. Those of o200k_base cut digits into groups of three from where a run of digits begins, and take
#   frequent letters together: 1HGCM82633A004352 is 1, HG, CM, 826, 33, A, 004, 352. In seven of ten drawn VINs the
#   year is no token of its own.
# Version: gpt-tokenizer 4.0.0 (o200k_base), VINs by @faker-js/faker 10.6.0, 29 November 2026.
# Matters because: Positions are what a VIN is read by, and the model has to guess them from pieces of one to three
#   characters. Let a program cut the VIN, and give the model named parts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts gpt-tokenizer@4.0.0 @faker-js/faker@10.6.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { faker } from '@faker-js/faker';
import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base';
const pieces = (vin) => encode(vin).map((token) => decode([token]));
for (const vin of ['1HGCM82633A004352', 'WVWZZZ1KZ9W123456', '1M8GDM9AXKP042788']) console.log(vin, pieces(vin).join(' '));
const isAlone = (vin, position) => {
  let start = 1;
  for (const piece of pieces(vin)) {
    if (start === position) return piece.length === 1;
    start += piece.length;
  }
  return false;
};
faker.seed(1);
const vins = Array.from({ length: 20_000 }, () => faker.vehicle.vin());
const share = vins.filter((vin) => isAlone(vin, 10)).length / vins.length;
console.log('of 20,000 VINs the year is a token of its own in %s %', (100 * share).toFixed(1));
if (pieces('1HGCM82633A004352').join(' ') !== '1 HG CM 826 33 A 004 352' || share < 0.25 || share > 0.32) process.exit(1);
EOF
node run.mjs
