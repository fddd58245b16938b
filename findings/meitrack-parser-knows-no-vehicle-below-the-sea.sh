#!/usr/bin/env bash
# Expected: A parser for vehicle trackers that knows latitudes and longitudes with a sign knows heights with one.
# Instead: In meitrack-parser the height has digits only. A message of a truck at the airport of Amsterdam, three
#   meters below the sea, is of type UNKNOWN, without time, place or number of the tracker; at zero meters it is read.
# Version: meitrack-parser 2.0.0, 29 November 2026.
# Matters because: A quarter of the Netherlands, the shores of the Caspian Sea and the Jordan valley lie below the sea,
#   and receivers are some meters off on every coast. The vehicle stands where it was last seen, and nothing is in the
#   log.
# Source: Meitrack, GPRS protocol: altitude in meters; the pattern of Traccar for the same messages has a sign.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts meitrack-parser@2.0.0 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { parse } = require('meitrack-parser');
const types = ['2', '0', '-3'].map((height) => {
  const message = `$$A138,123456789012345,AAA,35,52.310000,4.760000,261129120000,A,10,9,57,275,1,${height},5783799,7403612,204|1|F6E0|3933,0000,000B|0009||02D8|0122,*EE\r\n`;
  const { type, loc } = parse(message);
  console.log('meitrack-parser reads a message with height %s as %s, %s', height, type, loc ? loc.coordinates.join(' ') : 'nowhere');
  return type;
});
process.exit(types.join() === 'data,data,UNKNOWN' ? 0 : 1);
EOS
node run.cjs
