#!/usr/bin/env bash
# Expected: A stack for J1939 hands over the VIN of a truck, which takes three frames, as group 65260 (FEEC), the number
#   by which the truck announced it.
# Instead: @csllc/j1939 reads the number of a group of several frames from the wrong end: the VIN is group 15531520
#   (ECFE00), which does not exist, and the frames are asked for by that number. Groups of one frame are right, and so
#   is 61184 (00EF00), the group of its example, since it is the same from both ends.
# Version: @csllc/j1939 1.2.0, 29 November 2026.
# Matters because: What is longer than eight bytes on a truck are its VIN, its trouble codes and the names of its parts.
#   A program that waits for 65260 waits in vain, while speed and engine hours arrive.
# Source: SAE J1939-21: the group number in bytes 6 to 8 of a request to send has its least significant byte first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @csllc/j1939@1.2.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { EventEmitter } = require('node:events');
const J1939 = require('@csllc/j1939');
const written = [];
const bus = Object.assign(new EventEmitter(), { isOpen: () => true, write: (frame) => written.push(frame) });
const stack = new J1939(bus, { address: 0xf9, name: [1, 2, 3, 4, 5, 6, 7, 8] });
const got = [];
stack.on('data', ({ pgn, buf }) => got.push([pgn, buf.toString('latin1')]));
const send = (id, bytes) => bus.emit('data', { id, ext: true, buf: Buffer.from(bytes) });
const VIN = Buffer.from('WDB9634031L000000*', 'latin1');
stack.on('open', () => {
  send(0x18fef100, [0xff, 0, 0x50, 0xff, 0xff, 0xff, 0xff, 0xff]);
  send(0x18ecf900, [16, VIN.length, 0, 3, 3, 0xec, 0xfe, 0]);
  for (let i = 0; i < 3; i++) send(0x18ebf900, [i + 1, ...Buffer.concat([VIN, Buffer.alloc(3, 0xff)]).subarray(i * 7, i * 7 + 7)]);
  const granted = Buffer.from(written.find(({ id, buf }) => (id >> 16 & 0xff) === 0xec && buf[0] === 17).buf).readUIntLE(5, 3);
  const [[speed], [vin, text]] = got;
  console.log('@csllc/j1939 1.2.0: a frame of group 65265 (speed) arrives as %d', speed);
  console.log('the VIN %s, announced as 65260, is granted as %d and arrives as %d', text, granted, vin);
  process.exit(speed === 65265 && vin === 15531520 && granted === 15531520 && text === VIN.toString('latin1') ? 0 : 1);
});
EOF
node run.cjs
