#!/usr/bin/env bash
# Expected: tshark, which has a dissector for SAE J1939, shows the VIN that a truck broadcasts (PGN 65260).
# Instead: It names the four frames of the transport protocol (PGN 60416 and 60160) and does not put them together:
#   neither the VIN nor its PGN is anywhere in the output, while OBD-II over ISO 15765 of a car is put together and
#   shown.
# Version: tshark 4.0.17-0+deb12u3 of Debian 12, 28 November 2026.
# Matters because: A search for the VIN in a capture of a truck finds nothing, not even in the bytes: each frame
#   begins with its number. Only when told is anything above CAN decoded at all.
# Source: SAE J1939-21 (transport protocol), J1939-71 (PGN 65260, SPN 237, ends with an asterisk).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only -o Dir::Cache::archives="$folder/packages" tshark=4.0.17-0+deb12u3 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > write.mjs <<'EOF'
import { writeFileSync } from 'node:fs';
const frame = (id, bytes) => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(id);
  header[4] = 8;
  return Buffer.concat([header, Buffer.from(bytes)]);
};
const capture = (name, frames) => {
  const head = Buffer.alloc(24);
  [0xa1b2c3d4, 0x00040002, 0, 0, 65_535, 227].forEach((word, at) => head.writeUInt32LE(word, at * 4));
  const parts = frames.map((bytes, index) => {
    const record = Buffer.alloc(16);
    [1_700_000_000, index * 1000, bytes.length, bytes.length].forEach((word, at) => record.writeUInt32LE(word, at * 4));
    return Buffer.concat([record, bytes]);
  });
  writeFileSync(name, Buffer.concat([head, ...parts]));
};
const vin = [...Buffer.from('1HGCM82633A004352')];
const isoTp = (payload) => {
  const frames = [frame(0x7e8, [0x10, payload.length, ...payload.slice(0, 6)]), frame(0x7e0, [0x30, 0, 0, 170, 170, 170, 170, 170])];
  for (let at = 6, count = 1; at < payload.length; at += 7, count++) frames.push(frame(0x7e8, [0x20 + count, ...payload.slice(at, at + 7)]));
  return frames;
};
const message = [...vin, 0x2a, 0xff, 0xff, 0xff];
capture('truck.pcap', [
  frame(0x98ecff00, [0x20, 18, 0, 3, 0xff, 0xec, 0xfe, 0]),
  ...[0, 1, 2].map((part) => frame(0x98ebff00, [part + 1, ...message.slice(part * 7, part * 7 + 7)])),
]);
capture('car.pcap', isoTp([0x49, 2, 1, ...vin]));
EOF
node write.mjs
usr/bin/tshark -r truck.pcap -d can.subdissector,j1939 -V > truck.txt 2> tshark.log
usr/bin/tshark -r car.pcap -d can.subdissector,iso15765 -d iso15765.subdissector,obd-ii -V > car.txt 2>> tshark.log
usr/bin/tshark -r car.pcap -V > undirected.txt 2>> tshark.log
echo 'tshark shows of a truck:'
grep -oE 'PGN: [0-9]+' truck.txt
echo 'of a car:'
grep -E 'VIN: ' car.txt
! grep -qE '65260|1HGCM82633A004352' truck.txt
grep -q 'VIN: 1HGCM82633A004352' car.txt
! grep -qiE 'iso ?15765|VIN' undirected.txt
