#!/usr/bin/env bash
# Expected: A router that is told transportMode: truck, or bus, as its own documentation says, asks HERE for the way of a truck or
#   of a bus.
# Instead: It asks for the way of a car: always for buses, taxis and scooters, and for trucks unless the measures of the truck are given
#   too. It does not read the mode from where its documentation puts it. Nor does it read the routing mode there: "short" is ignored, and
#   the fastest way is asked for.
# Version: leaflet-routing-machine-here 2.1.0 with leaflet 1.9.4, 30 November 2026; what it would send, without the service.
# Matters because: Roads closed to trucks, and lanes and gates open to buses, are known to HERE by the mode alone. The map shows a
#   way, without a message, and a truck finds the sign at its end.
# Source: The library's README, RouteRestriction: transportMode and routingMode, with the values of HERE's Routing API v8; its example
#   has transportMode: 'truck' there.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund leaflet-routing-machine-here@2.1.0 leaflet@1.9.4 > npm.log 2>&1
cat > run.cjs <<'EOF'
// As much of a browser as Leaflet needs to be loaded.
const element = () => ({ style: {} });
Object.assign(globalThis, { window: globalThis, screen: {}, addEventListener() {} });
globalThis.document = { documentElement: element(), createElement: element, createElementNS: element, addEventListener() {} };
const L = require('leaflet');
const Here = require('leaflet-routing-machine-here/src/L.Routing.Here.js');
const waypoints = [L.latLng(52.5, 13.4), L.latLng(48.1, 11.6)].map((latLng) => ({ latLng }));
function ask(routeRestriction, truckRestriction) {
  const url = new URL(new Here('key', { routeRestriction, ...(truckRestriction && { truckRestriction }) }).buildRouteUrl(waypoints));
  const asked = ['transportMode', 'routingMode'].map((name) => url.searchParams.get(name)).join();
  console.log(`${JSON.stringify(routeRestriction)}${truckRestriction ? ` and ${JSON.stringify(truckRestriction)}` : ''}: asks for ${asked}`);
  return asked;
}
console.log('leaflet-routing-machine-here', require('leaflet-routing-machine-here/package.json').version);
const modes = ['truck', 'bus', 'taxi', 'scooter'].map((transportMode) => ask({ transportMode }));
const short = ask({ routingMode: 'short' });
const measured = ask({ transportMode: 'truck' }, { height: 400 });
process.exit([...modes, short].every((asked) => asked === 'car,fast') && measured === 'truck,fast' ? 0 : 1);
EOF
node run.cjs
