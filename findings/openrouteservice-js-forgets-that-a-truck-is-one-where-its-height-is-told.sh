#!/usr/bin/env bash
# Expected: The area that a truck reaches in an hour is asked for with its type, height and weight, if all of them are given.
# Instead: openrouteservice-js, the service's own client, leaves out the options, with the type of the vehicle in them, as soon as
#   the height and weight are given as restrictions beside them, as its README has it. Its Directions keep the type there, and
#   Isochrones do if the restrictions are written into the options.
# Version: openrouteservice-js 0.4.1, 30 November 2026; what it sends, seen by a server on the same machine.
# Matters because: Without the type the service does not apply the restrictions, so the area reaches beyond low bridges, without an
#   error. Routes of the same truck, asked for alike, are right.
# Source: The documentation of openrouteservice, routing options: vehicle_type, for driving-hgv, is needed for vehicle restrictions
#   to work. The client's README: restrictions are easier to reach beside the options.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts openrouteservice-js@0.4.1 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import openrouteservice from 'openrouteservice-js';
let sent;
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  sent = JSON.stringify(JSON.parse(body).options);
  response.setHeader('content-type', 'application/json').end('{}');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const service = { host: `http://127.0.0.1:${server.address().port}`, api_key: 'none' };
console.log('openrouteservice-js', JSON.parse(readFileSync('node_modules/openrouteservice-js/package.json', 'utf8')).version);
const truck = () => ({ profile: 'driving-hgv', options: { vehicle_type: 'hgv' }, restrictions: { height: 4, weight: 18 } });
const inside = { profile: 'driving-hgv', options: { vehicle_type: 'hgv', profile_params: { restrictions: { height: 4, weight: 18 } } } };
async function ask(title, client, question) {
  await client.calculate(question);
  console.log(`${title}: options sent ${sent}`);
  return JSON.parse(sent).vehicle_type;
}
const results = [
  await ask('Directions', new openrouteservice.Directions(service), { ...truck(), coordinates: [[8.69, 49.4], [8.68, 49.39]] }),
  await ask('Isochrones', new openrouteservice.Isochrones(service), { ...truck(), locations: [[8.69, 49.4]], range: [3600] }),
  await ask('Isochrones, restrictions within the options', new openrouteservice.Isochrones(service), { ...inside, locations: [[8.69, 49.4]], range: [3600] }),
];
server.close();
if (results.join() !== 'hgv,,hgv') process.exitCode = 1;
EOF
node run.mjs
