#!/usr/bin/env bash
# Expected: A column declared "vin STRING PRIMARY KEY" holds text.
# Instead: STRING is no type that SQLite knows as text: the column has NUMERIC affinity. "1E9" and digits is stored as
#   Infinity, and a second vehicle of such a maker violates the primary key. Declared TEXT or VARCHAR(17), both are
#   kept.
# Version: better-sqlite3 13.2.0, 28 November 2026.
# Matters because: Schemas made by hand or by converters declare STRING, and "vin VIN" behaves alike. All other VINs
#   are stored as they are, so that tests pass.
# Source: SQLite, Datatypes, section 3.1: affinity is chosen by parts of the declared name, and NUMERIC is the rest.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts better-sqlite3@13.2.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import Database from 'better-sqlite3';
const database = new Database(':memory:');
const insertBoth = (type) => {
  database.exec(`CREATE TABLE ${type.replace(/\W/g, '')}_vehicles (vin ${type} PRIMARY KEY)`);
  const insert = database.prepare(`INSERT INTO ${type.replace(/\W/g, '')}_vehicles VALUES (?) RETURNING vin`);
  try {
    return ['1E902482211234501', '1E902482711234502'].map((vin) => String(insert.get(vin).vin)).join(' and ');
  } catch (error) {
    return error.message;
  }
};
const results = ['STRING', 'TEXT', 'VARCHAR(17)'].map((type) => [type, insertBoth(type)]);
console.log('SQLite, two VINs that begin with 1E9 in a primary key declared as');
for (const [type, result] of results) console.log(`${type}: ${result}`);
if (!/UNIQUE/.test(results[0][1]) || !results[1][1].includes('34502') || !results[2][1].includes('34502')) process.exit(1);
EOF
node run.mjs
