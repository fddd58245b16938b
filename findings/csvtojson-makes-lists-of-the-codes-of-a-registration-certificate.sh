#!/usr/bin/env bash
# Expected: A column of a CSV file becomes a property with the name of the column.
# Instead: Registration certificates of the European Union number their fields D.1, F.1, P.1 to P.3, V.7. csvtojson
#   takes the point for a path and the number for a place in a list: {"E": "WVW...", "P": [null, "1390", "90",
#   "Petrol"]}. V.7 alone is a list of eight, seven of them null.
# Version: csvtojson 2.0.14 with its default settings, 29 November 2026.
# Matters because: row['P.1'], the engine capacity, is undefined for each car, while E, which is the VIN, and B are
#   there. The option flatKeys: true keeps the names.
# Source: Council Directive 1999/37/EC, annex I, for the codes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts csvtojson@2.0.14 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import csv from 'csvtojson';
const file = 'B,D.1,E,P.1,P.2,P.3,V.7\n2009-03-01,Volkswagen,WVWZZZ1KZ9W123456,1390,90,Petrol,139\n';
const [usual] = await csv().fromString(file);
const [flat] = await csv({ flatKeys: true }).fromString(file);
console.log('csvtojson makes %j\nwith flatKeys %j', usual, flat);
if (usual['P.1'] !== undefined || usual.E !== 'WVWZZZ1KZ9W123456' || JSON.stringify([usual.P, usual.V.length]) !== '[[null,"1390","90","Petrol"],8]' || flat['P.1'] !== '1390') process.exit(1);
EOF
node run.mjs
