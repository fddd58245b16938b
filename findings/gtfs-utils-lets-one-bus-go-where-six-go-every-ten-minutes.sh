#!/usr/bin/env bash
# Expected: A bus goes every ten minutes from 8 to 9 o'clock, by frequencies.txt with exact times: six runs, at 8:00, 8:10 and so on.
#   The times of the trip itself, which begins at 0:00, only tell how long it takes from stop to stop.
# Instead: gtfs-utils, which states that it supports this file, lists two runs: that of 8:50, the last one, and one at midnight that
#   no bus drives. Of runs with exact times it keeps but the last of each row. With times that are not exact all six are there, and
#   the bus at midnight as well.
# Version: gtfs-utils 5.1.0, 1 December 2026.
# Matters because: The number of buses and drivers, the kilometers and the energy of a day, and the wait at a stop follow from the
#   runs. No message says that any are left out.
# Source: GTFS Schedule reference, frequencies.txt: with exact_times 1 a trip begins at start_time + x * headway_secs for each x until
#   end_time. Best practices of GTFS: of such a trip the times in stop_times.txt count for the time between stops only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts gtfs-utils@5.1.0 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const computeStopovers = require('gtfs-utils/compute-stopovers.js');
const daily = Object.fromEntries(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [day, '1']));
async function runs(exact) {
  const files = {
    stops: [{ stop_id: 'depot' }, { stop_id: 'station' }],
    trips: [{ trip_id: 'bus', route_id: 'route', service_id: 'daily' }],
    stop_times: [
      { trip_id: 'bus', stop_sequence: '1', stop_id: 'depot', arrival_time: '00:00:00', departure_time: '00:00:00' },
      { trip_id: 'bus', stop_sequence: '2', stop_id: 'station', arrival_time: '00:05:00', departure_time: '00:05:00' },
    ],
    calendar: [{ service_id: 'daily', ...daily, start_date: '20261201', end_date: '20261201' }],
    frequencies: [{ trip_id: 'bus', start_time: '08:00:00', end_time: '09:00:00', headway_secs: '600', exact_times: exact }],
  };
  async function* read(name) {
    yield* files[name] ?? [];
  }
  const left = [];
  for await (const { stop_id, departure } of computeStopovers(async (name) => read(name), 'Etc/UTC')) {
    if (stop_id === 'depot') left.push(new Date(departure * 1000).toISOString().slice(11, 16));
  }
  const list = left.sort().join(' ');
  console.log(`every ten minutes from 08:00 to 09:00, exact_times ${exact}: leaves the depot at ${list}`);
  return list;
}
(async () => {
  console.log('gtfs-utils', require('gtfs-utils/package.json').version);
  const [exact, other] = [await runs('1'), await runs('0')];
  process.exit(exact === '00:00 08:50' && other === '00:00 08:00 08:10 08:20 08:30 08:40 08:50' ? 0 : 1);
})();
EOS
node run.cjs
