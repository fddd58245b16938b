#!/usr/bin/env bash
# Expected: A filter that smooths the line of a drive joins pieces that run the same way. A drive out to a customer and back on the
#   same road keeps the customer, where it turns.
# Instead: gps-filter measures how far each piece goes, but not in which direction. It takes the whole drive for a straight line and
#   drops the turning point: of 812 m, to a customer 406 m away and back, 271 m are left. A drive that never turns back keeps its
#   length.
# Version: gps-filter 0.2.0, 30 November 2026.
# Matters because: Visits, and the kilometers for which a car is paid, are read from the line after it is cleaned. The first and the
#   last place are right, and what is missing was the reason of the drive.
# Source: The package's README on smoothLine: pieces that are nearly parallel are combined. Forth and back are 180 degrees apart.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund gps-filter@0.2.0 > npm.log 2>&1
cat > run.cjs <<'EOF'
const filter = require('gps-filter');
const meters = (line) => line.slice(1).reduce((sum, { lng }, index) => sum + Math.abs(lng - line[index].lng), 0) * 111_195 * Math.cos((52.5 * Math.PI) / 180);
function smooth(name, ...longitudes) {
  const drive = longitudes.map((lng, index) => ({ lat: 52.5, lng, time: new Date(Date.UTC(2026, 10, 30, 10, 0, 10 * index)).toISOString() }));
  const before = Math.round(meters(drive));
  const line = filter.smoothLine(drive, 5);
  const farthest = Math.max(...line.map(({ lng }) => lng));
  console.log(`${name}: ${longitudes.join(' ')}, ${before} m; smoothed ${line.map(({ lng }) => lng).join(' ')}, ${Math.round(meters(line))} m`);
  return farthest;
}
console.log('gps-filter', require('gps-filter/package.json').version);
const there = smooth('there', 13.4, 13.402, 13.404, 13.406);
const back = smooth('there and back', 13.4, 13.402, 13.404, 13.406, 13.404, 13.402, 13.4);
process.exit(there === 13.406 && back === 13.402 ? 0 : 1);
EOF
node run.cjs
