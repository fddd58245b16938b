#!/usr/bin/env bash
# Expected: A Cellocator tracker tells its place in hundred-millionths of a radian, east as west. A truck near Haifa, at 32.8 north and
#   35.0 east, is read as there.
# Instead: cellocator-parser reads 3.5 degrees east, in Algeria. It takes longitudes of the east for a tenth of that unit, and those of
#   the west rightly as far as 153.8 degrees: Hawaii is at a tenth of its longitude, too, in the Atlantic. Latitudes are right.
# Version: cellocator-parser 2.2.9, 1 December 2026.
# Matters because: Each vehicle of Europe east of Greenwich, of most of Africa and of Asia is in a wrong country, and its drives have
#   a tenth of their way from west to east. The message is called valid. The example of the library is from Peru, where it is right.
# Source: Cellocator Wireless Communication Protocol, bytes 45 to 52: longitude and latitude with a sign, in 10^-8 radian. Traccar's
#   decoder of this protocol reads both so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts cellocator-parser@2.2.9 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const cellocator = require('cellocator-parser');
function message(latitude, longitude, altitude) {
  const bytes = Buffer.alloc(70);
  bytes.write('MCGP');
  bytes.writeUInt32LE(123_456, 5);
  bytes.write('00060ddf20041017', 9, 'hex');
  const radians = (degrees) => Math.round(((degrees * Math.PI) / 180) * 1e8);
  bytes[41] = 4;
  bytes[42] = 2;
  bytes[43] = 9;
  bytes.writeInt32LE(radians(longitude), 44);
  bytes.writeInt32LE(radians(latitude), 48);
  bytes.writeInt32LE(altitude * 100, 52);
  bytes.writeUInt32LE(2000, 56);
  bytes.set([0, 30, 9, 1, 12], 62);
  bytes.writeUInt16LE(2026, 67);
  bytes[69] = bytes.subarray(4, 69).reduce((sum, byte) => sum + byte, 0) % 256;
  return bytes;
}
console.log('cellocator-parser', require('cellocator-parser/package.json').version);
const places = { Lima: [-12, -77, 100], Haifa: [32.8, 35, 100], Singapore: [1.3, 103.8, 10], Honolulu: [21.3, -157.9, 10], Anchorage: [61.2, -149.9, 30] };
const read = Object.entries(places).map(([name, place]) => {
  const { loc, altitude, speed, valid } = cellocator.parse(message(...place));
  const [longitude, latitude] = loc.coordinates.map((degrees) => degrees.toFixed(1));
  console.log(`${name}, at ${place.slice(0, 2).join(', ')}, ${place[2]} m: read as ${latitude}, ${longitude}, ${altitude.toFixed(0)} m, ${speed} km/h, ${valid ? 'valid' : 'not valid'}`);
  return valid && [latitude, longitude, altitude.toFixed(0)].join();
});
process.exit(read.join(' ') === '-12.0,-77.0,100 32.8,3.5,100 1.3,10.4,10 21.3,-15.8,10 61.2,-149.9,30' ? 0 : 1);
EOS
node run.cjs
