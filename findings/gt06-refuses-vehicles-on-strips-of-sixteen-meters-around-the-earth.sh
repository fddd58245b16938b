#!/usr/bin/env bash
# Expected: A parser for vehicle trackers reads the position of a vehicle wherever it is.
# Instead: gt06 takes each pair of bytes 7878, with which a message begins, for the beginning of the next one.
#   Positions hold them, too: from 50.98951 to 50.98965 degrees north, a strip of sixteen meters from England through
#   Germany to Canada, each message is cut in two and refused with an error. Others lie 9.32 degrees to the north,
#   south, west and east of each other, such as at 4.3862 east.
# Version: gt06 1.0.12, 29 November 2026.
# Matters because: A vehicle that is parked there is never reported, nor is the rest of what the tracker sent with it,
#   and nobody sees it again who tests somewhere else. The third byte says how long the message is: cut by it.
# Source: The protocol of the tracker: start bits 7878, then the length; latitude and longitude in 1/30,000 of a
#   minute.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts gt06@1.0.12 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const Gt06 = require('gt06');
const message = (latitude, longitude) => {
  const bytes = Buffer.alloc(36);
  Buffer.from([0x78, 0x78, 31, 0x12, 26, 11, 29, 12, 0, 0, 0xc9]).copy(bytes);
  bytes.writeUInt32BE(Math.round(latitude * 1_800_000), 11);
  bytes.writeUInt32BE(Math.round(longitude * 1_800_000), 15);
  bytes.writeUInt16BE(0x1400, 20);
  Buffer.from([1, 6, 1, 0, 100, 0, 0, 5, 0, 7, 0, 0, 13, 10]).copy(bytes, 22);
  return bytes;
};
const read = (latitude, longitude) => {
  const tracker = new Gt06();
  try {
    tracker.parse(message(latitude, longitude));
    return `${tracker.lat}, ${tracker.lon}`;
  } catch (error) {
    return error instanceof RangeError ? 'RangeError' : error.error;
  }
};
const places = [[50.989, 11.03], [50.9896, 11.03], [50.99, 11.03], [48, 4.386], [48, 4.3862], [48, 4.3863]];
const answers = places.map(([latitude, longitude]) => {
  const answer = read(latitude, longitude);
  console.log('gt06 reads a tracker at %d, %d: %s', latitude, longitude, answer);
  return answer;
});
process.exit(answers.join(' | ') === '50.989, 11.03 | RangeError | 50.99, 11.03 | 48, 4.386 | RangeError | 48, 4.3863' ? 0 : 1);
EOS
node run.cjs 2> node.log
