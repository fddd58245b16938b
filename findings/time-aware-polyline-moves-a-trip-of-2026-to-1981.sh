#!/usr/bin/env bash
# Expected: The places and times of a vehicle's trip, written as one line of characters and read again, are the same to the second.
# Instead: If the first time has half a second or more behind its seconds, the whole trip is of 1981. If it stands at a later place,
#   the vehicle goes back in time there: ten seconds later becomes eleven seconds earlier, and all that follows is too early. The half
#   second gets into the bit that stands for the sign. Less than half a second is cut off, and that is all.
# Version: time-aware-polyline 0.2.2, 30 November 2026.
# Matters because: Phones and trackers tell milliseconds, and the library's own reader writes them. The places are right, so that the
#   line on the map looks as ever, while speeds, stops and the hours of the driver come from the times.
# Source: The library's description: places with time stamps into characters and back. Its examples have whole seconds, and ask for
#   none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund time-aware-polyline@0.2.2 > npm.log 2>&1
cat > run.cjs <<'EOF'
const { TimeAwareEncoder } = require('time-aware-polyline');
const encoder = new TimeAwareEncoder();
function travel(...seconds) {
  const points = seconds.map((second, index) => [52.5 + index / 1000, 13.4, `2026-11-30T10:00:${second}Z`]);
  const read = encoder.decodeTimeAwarePolyline(encoder.encodeTimeAwarePolyline(points));
  const right = read.every(([latitude, longitude], index) => latitude === points[index][0] && longitude === points[index][1]);
  const times = read.map(([, , time]) => time.slice(0, 19));
  console.log(`10:00:${seconds.join(', 10:00:')} is read as ${times.join(', ')}; places ${right ? 'right' : 'wrong'}`);
  return right ? times.join() : undefined;
}
console.log('time-aware-polyline', require('time-aware-polyline/package.json').version);
const whole = travel('00.000', '10.000', '20.000');
const little = travel('00.499', '10.499', '20.499');
const half = travel('00.500', '10.500', '20.500');
const between = travel('00.000', '10.700', '20.100');
const right = '2026-11-30T10:00:00,2026-11-30T10:00:10,2026-11-30T10:00:20';
const back = '2026-11-30T10:00:00,2026-11-30T09:59:49,2026-11-30T09:59:58';
process.exit(whole === right && little === right && half?.startsWith('1981-') && between === back ? 0 : 1);
EOF
node run.cjs
