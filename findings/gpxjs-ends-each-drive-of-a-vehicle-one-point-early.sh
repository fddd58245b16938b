#!/usr/bin/env bash
# Expected: A library for GPX files gives as the end and duration of a drive those of its last point.
# Instead: gpxjs leaves the last point out of the times, not out of the distance: a drive of two points, one minute apart, has a
#   length and lasts 0 seconds, and one of four points with a minute between them, 3 km at 60 km/h, lasts two minutes, so that it
#   was driven with 90. The moving time of both is zero: points more than ten seconds apart have none.
# Version: @we-gold/gpxjs 1.2.0 with xmldom-qsa 1.1.3, 30 November 2026.
# Matters because: Trackers of vehicles send a position each minute or less often, unlike a watch with one each second, for which
#   the difference is not seen. Driving times are too short and average speeds too high, most of all on short trips.
# Source: The times of the points, which the library itself reads right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @we-gold/gpxjs@1.2.0 xmldom-qsa@1.1.3 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { readFileSync } from 'node:fs';
import { parseGPXWithCustomParser } from '@we-gold/gpxjs';
import { DOMParser } from 'xmldom-qsa';
const { version } = JSON.parse(readFileSync('node_modules/@we-gold/gpxjs/package.json', 'utf8'));
const read = (count) => {
  const points = Array.from({ length: count }, (_, minute) => `<trkpt lat="${52 + minute * 0.008993}" lon="13"><time>2026-06-30T12:0${minute}:00Z</time></trkpt>`);
  const text = `<gpx version="1.1" creator="trip log" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${points.join('')}</trkseg></trk></gpx>`;
  const [file, error] = parseGPXWithCustomParser(text, (source) => new DOMParser().parseFromString(source, 'text/xml'));
  if (error) throw error;
  return file.tracks[0];
};
console.log('@we-gold/gpxjs %s, a kilometer and a minute between points', version);
const seen = [];
for (const count of [2, 4, 10]) {
  const { distance, duration, points } = read(count);
  const last = points.at(-1).time.toISOString().slice(11, 19);
  const end = duration.endTime.toISOString().slice(11, 19);
  const speed = (distance.total / duration.totalDuration) * 3.6;
  console.log('%d points: %d m, last point at %s, end %s, duration %d s, %d km/h', count, Math.round(distance.total), last, end, duration.totalDuration, Math.round(speed));
  console.log('  moving time %d s', duration.movingDuration);
  seen.push([Math.round(distance.total / 1000), duration.totalDuration, duration.movingDuration].join());
}
process.exit(seen.join(' ') === '1,0,0 3,120,0 9,480,0' ? 0 : 1);
EOF
node run.mjs
