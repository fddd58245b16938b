#!/usr/bin/env bash
# Expected: A coach leaves Michigan City at noon and is in South Bend, where clocks are an hour ahead, 45 minutes later. Its timetable is
#   in the time of the agency, Chicago, as GTFS wants it: 12:00 and 12:45. These are 18:00 and 18:45 UTC.
# Instead: gtfs-utils says that it arrives at 17:45 UTC, a quarter of an hour before it has left. It reads each time of a stop that has
#   a time zone of its own in that zone. Without the zone of the stop, which only tells how to show times there, it is right.
# Version: gtfs-utils 5.1.0, 1 December 2026.
# Matters because: Coaches cross such lines daily, in Indiana as well as between Britain and France or Spain and Portugal. Connections,
#   delays and the next duty of the vehicle are counted from these times. The documentation praises the use of the zone of the stop.
# Source: GTFS Schedule reference, stops.txt, stop_timezone: the times in stop_times.txt are in the time zone of the agency, so that
#   they increase along a trip, whichever zones it crosses.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts gtfs-utils@5.1.0 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const computeStopovers = require('gtfs-utils/compute-stopovers.js');
const daily = Object.fromEntries(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [day, '1']));
async function times(zone) {
  const files = {
    stops: [{ stop_id: 'Michigan City' }, { stop_id: 'South Bend', stop_timezone: zone }],
    trips: [{ trip_id: 'coach', route_id: 'route', service_id: 'daily' }],
    stop_times: [
      { trip_id: 'coach', stop_sequence: '1', stop_id: 'Michigan City', arrival_time: '12:00:00', departure_time: '12:00:00' },
      { trip_id: 'coach', stop_sequence: '2', stop_id: 'South Bend', arrival_time: '12:45:00', departure_time: '12:45:00' },
    ],
    calendar: [{ service_id: 'daily', ...daily, start_date: '20261201', end_date: '20261201' }],
  };
  async function* read(name) {
    yield* files[name] ?? [];
  }
  const stopovers = [];
  for await (const stopover of computeStopovers(async (name) => read(name), 'America/Chicago')) stopovers.push(stopover);
  const [left, arrived] = [stopovers[0].departure, stopovers[1].arrival];
  const clock = (seconds) => new Date(seconds * 1000).toISOString().slice(11, 16);
  console.log(`South Bend ${zone ? 'in its own zone' : 'without a zone'}: leaves at ${clock(left)}, arrives at ${clock(arrived)} UTC, after ${(arrived - left) / 60} minutes`);
  return (arrived - left) / 60;
}
(async () => {
  console.log('gtfs-utils', require('gtfs-utils/package.json').version);
  const minutes = [await times(''), await times('America/Indiana/Indianapolis')];
  process.exit(minutes.join(' ') === '45 -15' ? 0 : 1);
})();
EOS
node run.cjs
