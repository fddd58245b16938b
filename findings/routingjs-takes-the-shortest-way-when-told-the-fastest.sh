#!/usr/bin/env bash
# Expected: A client for the route planner Valhalla that may be told a preference, "shortest" or "fastest", asks for the
#   shortest way for the one and for the fastest for the other.
# Instead: RoutingJS asks for the shortest way as soon as there is any preference: "fastest" makes the same request as
#   "shortest". Only without a preference, or with null, is the way chosen by time. Ranges that a vehicle reaches and
#   tables of many places are asked for in the same manner.
# Version: @routingjs/valhalla 0.3.0, 30 November 2026; the requests that it says it would send (dryRun).
# Matters because: By distance alone Valhalla leaves out its other costs and penalties: cars and trucks are led along small
#   roads and through villages rather than by the motorway, and the answer is a valid route with its time and length.
# Source: The types of the package: preference, "one of ['shortest', 'fastest']"; Valhalla, costing options, shortest: purely
#   distance-based, disables all other costings and penalties.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @routingjs/valhalla@0.3.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { Valhalla } = require('@routingjs/valhalla');
const { version } = JSON.parse(require('node:fs').readFileSync('node_modules/@routingjs/valhalla/package.json'));
const router = new Valhalla({ baseUrl: 'http://127.0.0.1:9' });
const places = [[8.51, 47.38], [8.55, 47.35]];
const shortest = (request) => /"?shortest"?: *true/.test(typeof request === 'string' ? request : JSON.stringify(request));
(async () => {
  console.log('@routingjs/valhalla', version);
  const asked = [];
  for (const preference of [undefined, 'fastest', 'shortest']) {
    const requests = [await router.directions(places, 'truck', { preference }, true), await router.reachability(places[0], 'truck', [600], { preference }, true), await router.matrix(places, 'truck', { preference }, true)];
    asked.push(requests.map(shortest).join());
    console.log('preference %s: asks for the shortest way: route %s, range %s, table %s', preference ?? 'none', ...requests.map(shortest));
  }
  process.exit(asked.join(' ') === 'false,false,false true,true,true true,true,true' ? 0 : 1);
})();
EOF
node run.cjs
