#!/usr/bin/env bash
# Expected: A library for the cars of one maker reads the year of their VINs.
# Instead: teslajs counts letters from A, which is 2010, and leaves out I, but not O and Q, which are no year codes
#   either. A Model Y of 2022 (N) is right; one of 2023 (P) is of 2024, of 2024 (R) of 2026, of 2025 (S) of 2027. A
#   Cybertruck is a Model S.
# Version: teslajs 4.10.0, 29 November 2026.
# Matters because: It was right for all cars when it was written, and a test with a car of those days still passes.
#   Insurance, resale value and warranty go by the year.
# Source: 49 CFR 565.15, table VII: year codes leave out I, O, Q, U, Z and 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts teslajs@4.10.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createRequire } from 'node:module';
const { vinDecode } = createRequire(import.meta.url)('teslajs');
const cars = { '5YJSA1E26EFP12345': 2014, '7SAYGDEE5NF123456': 2022, '7SAYGDEE3PF123456': 2023, '7SAYGDEE3RA123456': 2024, XP7YGCEE5SB123456: 2025, '7G2CEHED5RA012345': 2024 };
const years = Object.entries(cars).map(([vin, year]) => {
  const answer = vinDecode({ vin });
  console.log('teslajs names %s of %d a %s of %d', vin, year, answer.carType, answer.year);
  return `${answer.year} ${answer.carType}`;
});
if (!/^2014 .*,2022 .*,2024 .*,2026 .*,2027 .*,2026 Model S$/.test(years.join())) process.exit(1);
EOF
node run.mjs
