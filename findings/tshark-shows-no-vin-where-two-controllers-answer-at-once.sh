#!/usr/bin/env bash
# Expected: tshark puts the VIN of a car together from the three frames that a controller sends, whoever else is on the
#   bus: each controller has its own identifier.
# Instead: Where another controller sends a long message at the same time, so that the frames of the two alternate,
#   tshark shows no VIN, with one pass or with two (-2), and no warning. If that message comes before the VIN or behind
#   it, the VIN is shown.
# Version: tshark 4.0.17-0+deb12u3 of Debian 12, 29 November 2026.
# Matters because: A tester asks the engine for the VIN while the telematics unit reads the battery of a hybrid car,
#   and many requests go to all controllers at once. A search for the VIN in such a capture finds nothing, although
#   each of its bytes is there.
# Source: ISO 15765-2, where a message belongs to the identifier of its frames.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only -o Dir::Cache::archives="$folder/packages" tshark=4.0.17-0+deb12u3 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > write.mjs <<'EOS'
import { writeFileSync } from 'node:fs';
const frame = (id, bytes) => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(id);
  header[4] = 8;
  return Buffer.concat([header, Buffer.from(bytes), Buffer.alloc(8 - bytes.length, 0xaa)]);
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
const answer = (id, payload) =>
  [[0x10, payload.length, ...payload.slice(0, 6)], [0x21, ...payload.slice(6, 13)], [0x22, ...payload.slice(13, 20)]].map((bytes) => frame(id, bytes));
const engine = answer(0x7e8, [0x49, 2, 1, ...Buffer.from('1HGCM82633A004352')]);
const battery = answer(0x7ec, [0x62, 0xf1, 0x8c, ...Buffer.from('BATTERY 000012345')]);
const [ask, askBattery] = [frame(0x7df, [2, 9, 2]), frame(0x7e4, [3, 0x22, 0xf1, 0x8c])];
const [go, goBattery] = [frame(0x7e0, [0x30, 0, 0]), frame(0x7e4, [0x30, 0, 0])];
capture('behind.pcap', [ask, engine[0], go, engine[1], engine[2], askBattery, battery[0], goBattery, battery[1], battery[2]]);
capture('before.pcap', [askBattery, battery[0], goBattery, battery[1], battery[2], ask, engine[0], go, engine[1], engine[2]]);
capture('between.pcap', [ask, askBattery, engine[0], battery[0], go, goBattery, engine[1], battery[1], engine[2], battery[2]]);
EOS
node write.mjs
vins() {
  usr/bin/tshark "$@" -d can.subdissector,iso15765 -d iso15765.subdissector,obd-ii -T fields -e obd-ii.VIN 2> tshark.log | grep -c '^1HGCM82633A004352$' || true
}
behind=$(vins -r behind.pcap)
before=$(vins -r before.pcap)
between=$(vins -r between.pcap)
twice=$(vins -2 -r between.pcap)
version=$(usr/bin/tshark --version 2> tshark.log | sed -n 's/.*Wireshark) \([0-9.]*\).*/\1/p' | head -n 1)
echo "tshark $version, VINs shown: with another message behind it $behind, before it $before, between its frames $between (with -2: $twice)"
[ "$behind$before" = 11 ]
[ "$between$twice" = 00 ]
