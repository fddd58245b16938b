#!/usr/bin/env bash
# Expected: A route for a van, asked for with its height, width, length, axle load, dangerous goods and tunnel code, is reckoned
#   with all of them.
# Instead: TomTom's Maps SDK takes all of them, and calculateReachableRange sends all to the service. calculateRoute sends the
#   weight and the top speed alone; the rest is left out without an error. With preferences for charging stops, as for an
#   electric van, the top speed is left out too.
# Version: @tomtom-org/maps-sdk 0.51.5, 30 November 2026; what it sends, seen by a server on the same machine.
# Matters because: A route comes back and looks like one for that vehicle, but a bridge of 2.8 m and a tunnel closed to its load
#   are on it like any other road. The area that it can reach, asked for with the same vehicle, is right.
# Source: The SDK's own description (services/dist/index.d.ts): sizes are for avoiding narrow streets and low bridges, for trucks,
#   vans and motor homes, and the height is critical for that. Car is the only mode of travel that it knows as yet.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts --legacy-peer-deps @tomtom-org/maps-sdk@0.51.5 @turf/turf@7.3.5 lodash-es@4.18.1 zod@4.4.3 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { TomTomConfig } from '@tomtom-org/maps-sdk/core';
import { calculateReachableRange, calculateRoute } from '@tomtom-org/maps-sdk/services';
const { version } = JSON.parse(readFileSync('node_modules/@tomtom-org/maps-sdk/package.json', 'utf8'));
const numbers = { length: 7.3, width: 2.35, height: 3.1, weight: 4250, 'axle load': 2600, 'top speed': 90 };
const words = { 'dangerous goods': 'otherHazmatHarmfulToWater', 'tunnel code': 'C' };
const vehicle = {
  model: { dimensions: { lengthMeters: numbers.length, widthMeters: numbers.width, heightMeters: numbers.height, weightKG: numbers.weight, axleWeightKG: numbers['axle load'] } },
  restrictions: { loadTypes: [words['dangerous goods']], adrCode: words['tunnel code'], maxSpeedKMH: numbers['top speed'] },
};
const engine = { consumption: { speedsToConsumptionsKWH: [{ speedKMH: 70, consumptionUnitsPer100KM: 32 }] }, charging: { maxChargeKWH: 113 } };
const electric = {
  ...vehicle,
  engineType: 'electric',
  model: { ...vehicle.model, engine },
  state: { currentChargePCT: 90 },
  preferences: { chargingPreferences: { minChargeAtDestinationPCT: 20, minChargeAtChargingStopsPCT: 20 } },
};
let sent;
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const { searchParams } = new URL(request.url, 'http://localhost');
  sent = new Set([...searchParams.values(), ...Object.values(body ? JSON.parse(body) : {})].map(String));
  response.writeHead(503, { 'content-type': 'application/json' }).end('{}');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
TomTomConfig.instance.put({ apiKey: 'none', commonBaseURL: `http://127.0.0.1:${server.address().port}` });
async function told(title, ask) {
  sent = undefined;
  await ask().catch((error) => {
    if (!sent) throw error;
  });
  const names = Object.entries({ ...numbers, ...words }).filter(([, value]) => sent.has(String(value))).map(([name]) => name).join(', ');
  console.log(`${title}: the service is told ${names}`);
  return names;
}
console.log('@tomtom-org/maps-sdk', version);
const locations = [[13.4, 52.5], [13.5, 52.5]];
const results = [
  await told('calculateReachableRange', () => calculateReachableRange({ origin: locations[0], budget: { type: 'timeMinutes', value: 30 }, vehicle })),
  await told('calculateRoute', () => calculateRoute({ locations, vehicle })),
  await told('calculateRoute with charging stops', () => calculateRoute({ locations, vehicle: electric })),
];
server.close();
const all = [...Object.keys(numbers), ...Object.keys(words)].join(', ');
if (results.join('; ') !== `${all}; weight, top speed; weight`) process.exitCode = 1;
EOF
node run.mjs
