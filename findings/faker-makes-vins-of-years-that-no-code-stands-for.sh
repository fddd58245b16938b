#!/usr/bin/env bash
# Expected: A faker that computes the check digit of its VINs also draws position 10 from the codes of model years.
# Instead: Each VIN of faker has a right check digit, and one in eleven has U, Z or 0 at position 10, which stand for
#   no year in North America.
# Version: @faker-js/faker 10.6.0, 28 November 2026.
# Matters because: Test data of this kind makes a decoder look as if it lost years, or teaches a test to accept that.
# Source: 49 CFR 565.15, table VII: year codes leave out I, O, Q, U, Z and 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @faker-js/faker@10.6.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { faker } from '@faker-js/faker';
const VALUES = { A: 1, B: 2, C: 3, D: 4, E: 5, F: 6, G: 7, H: 8, J: 1, K: 2, L: 3, M: 4, N: 5, P: 7, R: 9, S: 2, T: 3, U: 4, V: 5, W: 6, X: 7, Y: 8, Z: 9 };
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const digitOf = (vin) => '0123456789X'[[...vin].reduce((sum, c, at) => sum + (VALUES[c] ?? Number(c)) * WEIGHTS[at], 0) % 11];
faker.seed(1);
const vins = Array.from({ length: 20_000 }, () => faker.vehicle.vin());
const right = vins.filter((vin) => digitOf(vin) === vin[8]).length;
const impossible = vins.filter((vin) => /[UZ0]/.test(vin[9])).length;
console.log('of 20,000 VINs of faker %d have a right check digit, and %d a year code that does not exist', right, impossible);
if (right !== 20_000 || impossible < 1_500 || impossible > 2_100) process.exit(1);
EOF
node run.mjs
