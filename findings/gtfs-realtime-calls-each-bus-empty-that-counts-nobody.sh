#!/usr/bin/env bash
# Expected: The library for the positions of buses and trains gives no occupancy, speed or odometer of a vehicle whose feed has
#   none.
# Instead: gtfs-realtime-bindings gives the first value of the list or zero: a bus that cannot count its passengers is EMPTY, at 0
#   percent, stands still, faces north and has an odometer of zero. JSON.stringify of the same object has none of these, and
#   Object.hasOwn tells them apart. A congestion level has "unknown" as its first value, so that it is right.
# Version: gtfs-realtime-bindings 2.2.0, 30 November 2026.
# Matters because: Many feeds send none of it. Passengers are led to full buses that an app shows as empty, and reports of a
#   fleet by its vehicle numbers have vehicles that never drove, while whoever looks at the decoded message sees no such value.
# Source: GTFS Realtime reference: these fields are optional, and occupancy is unknown unless it is given.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts gtfs-realtime-bindings@2.2.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { FeedMessage, VehiclePosition } = require('gtfs-realtime-bindings').transit_realtime;
const read = (more, place) => {
  const vehicle = { vehicle: { id: '7' }, position: { latitude: 52.5, longitude: 13.5, ...place }, ...more };
  const feed = FeedMessage.create({ header: { gtfsRealtimeVersion: '2.0' }, entity: [{ id: '1', vehicle }] });
  return FeedMessage.decode(FeedMessage.encode(feed).finish()).entity[0].vehicle;
};
const show = (name, { occupancyStatus, occupancyPercentage, congestionLevel, position }) => {
  const values = [VehiclePosition.OccupancyStatus[occupancyStatus], occupancyPercentage, position.speed, position.bearing, position.odometer];
  console.log('%s: %s, %d percent, %d m/s, bearing %d, odometer %d, %s', name, ...values, VehiclePosition.CongestionLevel[congestionLevel]);
  return values.join();
};
console.log('gtfs-realtime-bindings %s', require('gtfs-realtime-bindings/package.json').version);
const silent = read({}, {});
const full = read({ occupancyStatus: VehiclePosition.OccupancyStatus.FULL, occupancyPercentage: 100 }, { speed: 8, bearing: 90, odometer: 64_000 });
const values = [show('a bus that tells only where it is', silent), show('a bus that tells all', full)];
console.log('the former as JSON: %s', JSON.stringify(silent));
const own = Object.hasOwn(silent, 'occupancyStatus') || Object.hasOwn(silent.position, 'speed');
process.exit(values.join(' ') === 'EMPTY,0,0,0,0 FULL,100,8,90,64000' && !own && !JSON.stringify(silent).includes('occupancy') ? 0 : 1);
EOF
node run.cjs
