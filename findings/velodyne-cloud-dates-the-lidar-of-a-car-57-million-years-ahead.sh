#!/usr/bin/env bash
# Expected: A packet of a car's lidar that was sent 30 minutes after ten o'clock, and a program that is told that the hour began at
#   ten, give half past ten.
# Instead: Foxglove's library gives a second 57 million years ahead, for which there is no date. The lidar counts microseconds since
#   the top of the hour, and they are divided by a millionth instead of multiplied by it. A packet sent on the hour is right.
# Version: @foxglove/velodyne-cloud 1.0.1, 30 November 2026.
# Matters because: The library's own example takes the stamp of a scan from here. Where the cloud is laid over the pictures, the
#   positions and the messages of the car's buses, nothing fits, and the millisecond between two packets becomes 42 years.
# Source: Velodyne VLP-16 User Manual, data packet: a timestamp of four bytes in microseconds, past the hour. The library's description
#   of the same function: fractional seconds since the UNIX epoch.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund @foxglove/velodyne-cloud@1.0.1 > npm.log 2>&1
cat > run.cjs <<'EOF'
const { RawPacket } = require('@foxglove/velodyne-cloud');
const hour = new Date('2026-11-30T10:00:00Z');
function stamp(microseconds) {
  const data = new Uint8Array(1206);
  new DataView(data.buffer).setUint32(1200, microseconds, true);
  data.set([0x37, 0x22], 1204);
  const seconds = new RawPacket(data).timestamp(hour);
  const years = (seconds - hour / 1000) / (365.25 * 86_400);
  console.log(`${microseconds} microseconds after ${hour.toISOString()}: second ${seconds}, ${years.toFixed(1)} years later`);
  return seconds - hour / 1000;
}
console.log('@foxglove/velodyne-cloud', require('@foxglove/velodyne-cloud/package.json').version);
const onTheHour = stamp(0);
const next = stamp(1327);
const halfPast = stamp(30 * 60 * 1_000_000);
process.exit(onTheHour === 0 && next > 15 * 86_400 && halfPast > 57_000_000 * 365.25 * 86_400 ? 0 : 1);
EOF
node run.cjs
