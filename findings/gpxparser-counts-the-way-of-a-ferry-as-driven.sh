#!/usr/bin/env bash
# Expected: A car drives to a ferry, its tracker is off on board, and it drives on. The track has two segments, as GPX wants it where
#   the receiver was off. The distance of the track is that of both drives, 3.3 km.
# Instead: gpxparser answers 395 km. It takes all points of a track for one line, so that the distance from the last point before the
#   gap to the first behind it counts as driven. As GeoJSON the two segments are one line over the sea. gpxpy answers 3.3 km.
# Version: gpxparser 3.0.8 and gpxpy 1.5.0 (python3-gpxpy of Debian 12), 30 November 2026.
# Matters because: Mileage for the tax office, a lease or the price of a trip is read from this distance. A car on a ferry, a train or
#   a tow truck is charged for a way that it did not drive. A track without a gap is right.
# Source: GPX 1.1 schema, trksegType: a new segment for each continuous span, where reception was lost or the receiver turned off.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts gpxparser@3.0.8 >> npm.log 2>&1
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" python3-gpxpy=1.5.0-1 > apt.log 2>&1
dpkg-deb -x packages/python3-gpxpy_*.deb .
cat > run.cjs <<'EOS'
const { writeFileSync } = require('node:fs');
const { execFileSync } = require('node:child_process');
const Parser = require('gpxparser');
const point = (latitude, longitude, time) => `<trkpt lat="${latitude}" lon="${longitude}"><time>2026-11-30T${time}:00Z</time></trkpt>`;
const before = [point(54.3, 10.1, '10:00'), point(54.31, 10.1, '10:01'), point(54.32, 10.1, '10:02')];
const after = [point(57.7, 11.9, '23:00'), point(57.71, 11.9, '23:01')];
function measure(name, ...segments) {
  const track = segments.map((points) => `<trkseg>${points.join('')}</trkseg>`).join('');
  const gpx = `<gpx version="1.1" creator="tracker" xmlns="http://www.topografix.com/GPX/1/1"><trk>${track}</trk></gpx>`;
  writeFileSync('drive.gpx', gpx);
  const parser = new Parser();
  parser.parse(gpx);
  const kilometers = [
    parser.tracks[0].distance.total,
    Number(execFileSync('python3', ['-c', "import gpxpy; print(gpxpy.parse(open('drive.gpx')).tracks[0].length_2d())"], { env: { ...process.env, PYTHONPATH: 'usr/lib/python3/dist-packages' } })),
  ].map((meters) => (meters / 1000).toFixed(1));
  const lines = parser.toGeoJSON().features.map(({ geometry }) => `${geometry.type} of ${geometry.coordinates.length} points`);
  console.log(`${name}: gpxparser ${kilometers[0]} km (${lines.join(', ')}), gpxpy ${kilometers[1]} km`);
  return kilometers.join();
}
console.log(`gpxparser ${require('gpxparser/package.json').version}, gpxpy 1.5.0`);
const drives = [measure('before the ferry', before), measure('behind it', after), measure('both, in two segments', before, after)];
process.exit(drives.join(' ') === '2.2,2.2 1.1,1.1 395.4,3.3' ? 0 : 1);
EOS
node run.cjs
