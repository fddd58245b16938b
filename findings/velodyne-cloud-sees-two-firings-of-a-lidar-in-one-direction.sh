#!/usr/bin/env bash
# Expected: The lidar of a car that turns ten times a second fires its sixteen lasers twice in each block of data. The second points,
#   0.2 degrees further on, are seen there.
# Instead: Foxglove's library puts both into the direction of the first. It works out the direction of each point, asks whether it is
#   in the wanted part of the circle, and then places the point without it. At 50 m the second points stand 17 cm beside their
#   places, always to the same side.
# Version: @foxglove/velodyne-cloud 1.0.1, 30 November 2026; model VLP-16.
# Matters because: Edges of cars, curbs and posts are seen doubled, at a distance where a few centimeters tell lanes. The distance
#   itself is right, so that a check against a wall finds nothing.
# Source: Velodyne VLP-16 User Manual: two firing sequences in a data block, 55.296 microseconds apart, and the azimuth of the second
#   by interpolation between the blocks.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund @foxglove/velodyne-cloud@1.0.1 > npm.log 2>&1
cat > run.cjs <<'EOF'
const { Calibration, Model, PointCloud, RawPacket, Transformer } = require('@foxglove/velodyne-cloud');
const data = new Uint8Array(1206);
const view = new DataView(data.buffer);
for (let block = 0; block < 12; block += 1) {
  view.setUint16(100 * block, 0xeeff, true);
  view.setUint16(100 * block + 2, 9000 + 40 * block, true); // A hundredth of a degree; a block takes 0.4 degrees.
  for (let point = 0; point < 32; point += 1) view.setUint16(100 * block + 4 + 3 * point, 25_000, true); // 2 mm
}
data.set([0x37, 0x22], 1204);
const cloud = new PointCloud({ stamp: 0, maxPoints: RawPacket.MAX_POINTS_PER_PACKET });
new Transformer(new Calibration(Model.VLP16)).unpack(new RawPacket(data), 0, 0, cloud);
function direction(index) {
  const { x, y, distance } = cloud.point(index);
  return { degrees: (-Math.atan2(y, x) * 180) / Math.PI, distance };
}
console.log('@foxglove/velodyne-cloud', require('@foxglove/velodyne-cloud/package.json').version);
const names = { 0: 'first block, first firing', 16: 'first block, second firing', 32: 'second block, first firing', 48: 'second block, second firing' };
const seen = Object.entries(names).map(([index, name]) => {
  const { degrees, distance } = direction(Number(index));
  console.log(`${name}: at ${(90 + index / 80).toFixed(2)} degrees, seen at ${degrees.toFixed(2)} degrees and ${distance} m`);
  return degrees.toFixed(2);
});
console.log(`0.2 degrees at 50 m: ${(50 * Math.sin((0.2 * Math.PI) / 180)).toFixed(2)} m`);
process.exit(seen.join() === '90.00,90.00,90.40,90.40' ? 0 : 1);
EOF
node run.cjs
