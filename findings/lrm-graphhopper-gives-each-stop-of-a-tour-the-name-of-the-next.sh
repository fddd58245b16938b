#!/usr/bin/env bash
# Expected: On a tour of a van from the depot by way of the baker and the butcher to the florist, the point of the baker bears the
#   name of the baker.
# Instead: lrm-graphhopper, the GraphHopper part of Leaflet Routing Machine, names each stop between after the next one: the point of
#   the baker is called butcher and that of the butcher florist, and so are two points. Start and end are right.
# Version: lrm-graphhopper 1.3.0 with leaflet-routing-machine 3.2.12 and leaflet 1.9.4, 30 November 2026; with a stand-in for the
#   service, whose answer has the form of GraphHopper's.
# Matters because: The names stand with the places that the route really passes (actualWaypoints), which maps and lists of stops are
#   made of. The driver is sent to the right door with the name of another customer.
# Source: Leaflet Routing Machine's documentation, IRoute: actualWaypoints are the waypoints as they are snapped to the road. GraphHopper's
#   documentation: sign 5 is a stop between that is reached.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts lrm-graphhopper@1.3.0 leaflet@1.9.4 leaflet-routing-machine@3.2.12 jsdom@31.0.1 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const Module = require('node:module');
const { JSDOM } = require('jsdom');
const { window } = new JSDOM('');
Object.assign(globalThis, { window, document: window.document });
globalThis.L = window.L = require('leaflet');
require('leaflet-routing-machine');
const polyline = require('polyline');
const tour = { depot: [52.5, 13.4], baker: [52.51, 13.41], butcher: [52.52, 13.42], florist: [52.53, 13.43] };
const places = Object.values(tour);
const instructions = places.slice(1).flatMap((place, index) => [
  { sign: 0, text: 'Continue', distance: 1300, time: 180_000, interval: [index, index + 1] },
  { sign: index + 2 < places.length ? 5 : 4, text: 'Stop', distance: 0, time: 0, interval: [index + 1, index + 1] },
]);
const answer = { paths: [{ distance: 3900, time: 540_000, points: polyline.encode(places, 5), instructions }] };
const load = Module._load;
const service = (url, done) => done(null, { status: 200, getResponseHeader: () => '', responseText: JSON.stringify(answer) });
Module._load = (name, ...rest) => (name === 'corslite' ? service : load(name, ...rest));
const GraphHopper = require('lrm-graphhopper');
console.log('lrm-graphhopper', require('lrm-graphhopper/package.json').version);
const waypoints = Object.entries(tour).map(([name, place]) => new L.Routing.Waypoint(L.latLng(place), name));
new GraphHopper('none').route(waypoints, (error, [route]) => {
  const names = route.actualWaypoints.map(({ name }) => name);
  route.actualWaypoints.forEach(({ name, latLng }) => {
    const asked = Object.keys(tour).find((stop) => latLng.equals(tour[stop]));
    console.log(`${latLng.lat}, ${latLng.lng}: asked for as ${asked}, named ${name}`);
  });
  process.exitCode = names.join() === 'depot,butcher,florist,florist' ? 0 : 1;
});
EOF
node run.cjs
