#!/usr/bin/env bash
# Expected: Of five stops of which the vehicles of a fleet can serve three, the client of the route optimization lists the other two
#   as unassigned.
# Instead: GraphHopper's own client lists each of them twice: four unassigned stops, seven with the three on the tours.
#   Shipments are listed once, and the ids in the service's answer are right.
# Version: graphhopper-js-api-client 7.6.5, 30 November 2026; with a service on the same machine that answers in GraphHopper's form.
# Matters because: The list with the full stops (unassigned_services) is what one plans the next vehicle or day with: it gets each
#   stop twice, and a share of what was not served that is up to twice too high.
# Source: GraphHopper's documentation, Route Optimization API, solution: unassigned services are an array of ids, each once.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts graphhopper-js-api-client@7.6.5 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { createServer } = require('node:http');
const Optimization = require('graphhopper-js-api-client/src/GraphHopperOptimization');
const address = (id, lat) => ({ location_id: id, lat, lon: 13.4 });
const stops = ['a', 'b', 'c', 'd', 'e'].map((id, index) => ({ id, address: address(id, 52.5 + index / 100) }));
const parcel = { id: 'parcel', pickup: { address: address('from', 52.6) }, delivery: { address: address('to', 52.7) } };
const activities = ['a', 'b', 'c'].map((id) => ({ type: 'service', id, location_id: id }));
const solution = { routes: [{ vehicle_id: 'van', activities }], unassigned: { services: ['d', 'e'], shipments: ['parcel'] } };
const server = createServer((request, response) => {
  request.resume();
  response.setHeader('content-type', 'application/json').end(JSON.stringify(request.method === 'POST' ? { job_id: '1' } : { status: 'finished', solution }));
});
server.listen(0, '127.0.0.1', async () => {
  const client = new Optimization({ key: 'none', host: `http://127.0.0.1:${server.address().port}`, waitInMillis: 50 });
  const vehicles = [{ vehicle_id: 'van', type_id: 'van', start_address: address('depot', 52.5) }];
  const result = await client.doRequest({ vehicles, vehicle_types: [{ type_id: 'van', profile: 'small_truck' }], services: stops, shipments: [parcel] });
  server.close();
  server.closeAllConnections();
  const { routes, unassigned, unassigned_services: services, unassigned_shipments: shipments } = result.solution;
  const listed = services.map(({ id }) => id).join();
  console.log('graphhopper-js-api-client', require('graphhopper-js-api-client/package.json').version);
  console.log(`${stops.length} stops; on the tour ${routes[0].activities.length}; unassigned by the service ${unassigned.services}; listed by the client ${listed}; shipments ${shipments.map(({ id }) => id)}`);
  process.exitCode = listed === 'd,d,e,e' && shipments.length === 1 ? 0 : 1;
});
EOF
node run.cjs
