#!/usr/bin/env bash
# Expected: A decoder that gives region and country gives a region in which the country lies.
# Instead: universal-vin-decoder takes the region from the first digit, where 6 and 7 are Oceania, and the country from
#   the first two characters, where 7F to 70 are the United States today. A Tesla of Texas (7SA), a Rivian of Illinois
#   (7PD) and a Honda of Indiana (7FA) are from "Oceania, United States".
# Version: universal-vin-decoder 1.0.0, 29 November 2026.
# Matters because: Filters by region lose more vehicles of the United States every year. The first character alone no
#   longer gives the continent.
# Source: ISO 3780; NHTSA's list of WMIs for 7SA, 7PD and 7FA.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts universal-vin-decoder@1.0.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createRequire } from 'node:module';
const { decodeVIN } = createRequire(import.meta.url)('universal-vin-decoder');
const places = ['7SAYGDEE5NA123456', '7PDSGABL1NN012345', '7FARW2H59JE012345', '1HGCM82633A004352'].map((vin) => {
  const { region, country, manufacturer } = decodeVIN(vin).info;
  console.log('universal-vin-decoder: %s (%s) is from %s, %s', vin, manufacturer, region, country);
  return `${region}, ${country}`;
});
if (places.slice(0, 3).some((place) => place !== 'Oceania, United States') || places[3].startsWith('Oceania')) process.exit(1);
EOF
node run.mjs
