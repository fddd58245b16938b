#!/usr/bin/env bash
# Expected: A parser for the widespread trackers GPS103 and TK103 says when a vehicle was at a place.
# Instead: The message has the date and time of the tracker's own zone and then the time of the position in UTC. gps103
#   joins the local date with the hour of UTC. Where the two have different dates, the position is 24 hours off: in Hong
#   Kong all positions before 8 in the morning are a day ahead, in Chicago all after 6 in the evening a day behind. The
#   field gpsTime is the local time called UTC.
# Version: gps103 1.0.6, 30 November 2026.
# Matters because: A drive over midnight, of the zone or of UTC, has a break of a day in it, positions lie in the future,
#   and a logbook has the evening's drives a day early. By day in the same zone everything is right.
# Source: Traccar's decoder for the same protocol: local date and local time, then time UTC, from which it takes the
#   difference and moves the date.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts gps103@1.0.6 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const Gps103 = require('gps103');
const digits = (date) => date.toISOString().slice(2, 19).replace(/[-T:]/g, '');
console.log('gps103', require('gps103/package.json').version);
const off = [
  ['Hong Kong', 8, '2026-11-29T06:30:00Z', '2234.4669,N,11354.3287,E'],
  ['Hong Kong', 8, '2026-11-29T18:30:00Z', '2234.4669,N,11354.3287,E'],
  ['Chicago', -6, '2026-11-29T18:30:00Z', '4152.0000,N,08737.0000,W'],
  ['Chicago', -6, '2026-11-30T02:30:00Z', '4152.0000,N,08737.0000,W'],
].map(([place, zone, time, position]) => {
  const utc = new Date(time);
  const local = digits(new Date(utc.getTime() + zone * 3_600_000));
  const message = `imei:123456789012345,tracker,${local},,F,${digits(utc).slice(6)}.000,A,${position},45.00,90;`;
  const tracker = new Gps103();
  tracker.parse(Buffer.from(message));
  const hours = (Date.parse(tracker.fixTime) - utc) / 3_600_000;
  console.log('%s at %s, sent as %s and %s UTC: %s, %d hours off', place, time, local, digits(utc).slice(6), tracker.fixTime, hours);
  return hours;
});
process.exit(off.join() === '0,24,0,-24' ? 0 : 1);
EOF
TZ=UTC node run.cjs
