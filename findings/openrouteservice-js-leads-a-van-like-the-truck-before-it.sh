#!/usr/bin/env bash
# Expected: Routes for several vehicles of a fleet, asked for with the same options (avoid ferries) and each with the height and
#   weight of its own, are independent of each other.
# Instead: openrouteservice-js, the service's own client, writes the height and weight into the options it was given. A van whose
#   route is asked for without any comes after a truck with its 4 m and 18 t, and the same question has two answers.
# Version: openrouteservice-js 0.4.1, 30 November 2026; what it sends, seen by a server on the same machine.
# Matters because: The van is led around each low bridge and weak road, and whoever compares times or fuel of the two vehicles
#   compares the truck with itself. The answer depends on which vehicle was first.
# Source: The client's README: restrictions are an easier way to what the options nest; nothing says that they stay.
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
const directions = new openrouteservice.Directions(service);
const options = { vehicle_type: 'hgv', avoid_features: ['ferries'] };
async function ask(title, question) {
  await directions.calculate({ profile: 'driving-hgv', coordinates: [[8.69, 49.4], [8.68, 49.39]], options, ...question });
  console.log(`${title}: options sent ${sent}`);
  return sent;
}
const before = await ask('van', {});
const truck = await ask('truck of 4 m and 18 t', { restrictions: { height: 4, weight: 18 } });
const after = await ask('the same van', {});
server.close();
if (before.includes('height') || !truck.includes('"height":4') || after !== truck) process.exitCode = 1;
EOF
node run.mjs
