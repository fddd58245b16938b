#!/usr/bin/env bash
# Expected: A client for the route planner Valhalla that is told to use miles gives the length of a drive in miles.
# Instead: Valhalla answers in miles already, and RoutingJS multiplies them by 0.621371 once more, as if they were
#   kilometers: a drive of 100 miles has 62.1. That is neither miles nor kilometers nor meters. In kilometers the length is
#   right, and so are the times in both.
# Version: @routingjs/valhalla 0.3.0, 30 November 2026, with a stand-in for the server that answers as Valhalla does.
# Matters because: Mileage, fuel and the range of an electric car that are planned from it are short by more than a third,
#   and only where people measure in miles.
# Source: Valhalla's description of its interface: units are those of the output; summary.length is in the units asked for.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @routingjs/valhalla@0.3.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { once } = require('node:events');
const { createServer } = require('node:http');
const { text } = require('node:stream/consumers');
const { Valhalla } = require('@routingjs/valhalla');
const { version } = JSON.parse(require('node:fs').readFileSync('node_modules/@routingjs/valhalla/package.json'));
const kilometers = 160.9344;
const server = createServer(async (request, response) => {
  const { directions_options: options, units: direct } = JSON.parse(await text(request));
  const units = ['mi', 'miles'].includes(options?.units ?? direct) ? 'miles' : 'kilometers';
  const length = units === 'miles' ? kilometers / 1.609344 : kilometers;
  const summary = { length, time: 6000 };
  const answer = { trip: { units, status: 0, legs: [{ shape: '', summary, maneuvers: [] }], summary } };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
});
(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const router = new Valhalla({ baseUrl: `http://127.0.0.1:${server.address().port}` });
  console.log('@routingjs/valhalla', version);
  const lengths = [];
  for (const units of ['kilometers', 'miles']) {
    const { directions, raw } = await router.directions([[-87.63, 41.88], [-86.25, 41.68]], 'auto', { units });
    const { distance, duration } = directions[0].feature.properties;
    lengths.push(distance.toFixed(1));
    console.log('asked in %s: Valhalla answers %d %s, RoutingJS says %s, %d s', units, raw.trip.legs[0].summary.length.toFixed(1), raw.trip.units, distance.toFixed(1), duration);
  }
  server.close();
  process.exit(lengths.join() === '160.9,62.1' ? 0 : 1);
})();
EOF
node run.cjs
