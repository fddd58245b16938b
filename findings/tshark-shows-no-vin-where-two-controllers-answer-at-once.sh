#!/usr/bin/env bash
# Expected: tshark puts the VIN of a car together from the three frames that a controller sends, whoever else is on the
#   bus: each controller has its own identifier.
# Instead: Where engine and gearbox answer a request to all controllers (7DF) at the same time, so that their frames
#   alternate, tshark shows no VIN, with one pass or with two (-2), and no warning. If one answers behind the other, it
#   shows both.
# Version: tshark 4.0.17-0+deb12u3 of Debian 12, 29 November 2026.
# Matters because: Scan tools ask all controllers at once, and hybrids and cars with automatic gearboxes answer with
#   two or more. A search for the VIN in such a capture finds nothing, although it is there twice.
# Source: ISO 15765-2, where a message belongs to the identifier of its frames; ISO 15765-4 for requests to 7DF.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes --no-install-recommends --download-only -o Dir::Cache::archives="$folder/packages" tshark=4.0.17-0+deb12u3 > apt.log 2>&1
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
const answer = (id) => {
  const payload = [0x49, 2, 1, ...Buffer.from('1HGCM82633A004352')];
  return [[0x10, payload.length, ...payload.slice(0, 6)], [0x21, ...payload.slice(6, 13)], [0x22, ...payload.slice(13)]].map((bytes) => frame(id, bytes));
};
const request = frame(0x7df, [2, 9, 2]);
const [engine, gearbox] = [answer(0x7e8), answer(0x7e9)];
const [go, goToo] = [frame(0x7e0, [0x30, 0, 0]), frame(0x7e1, [0x30, 0, 0])];
capture('behind.pcap', [request, engine[0], go, engine[1], engine[2], gearbox[0], goToo, gearbox[1], gearbox[2]]);
capture('between.pcap', [request, engine[0], gearbox[0], go, goToo, engine[1], gearbox[1], engine[2], gearbox[2]]);
EOS
node write.mjs
vins() {
  usr/bin/tshark "$@" -d can.subdissector,iso15765 -d iso15765.subdissector,obd-ii -T fields -e obd-ii.VIN 2> tshark.log | grep -c '^1HGCM82633A004352$' || true
}
behind=$(vins -r behind.pcap)
between=$(vins -r between.pcap)
twice=$(vins -2 -r between.pcap)
echo "tshark $(usr/bin/tshark --version 2> tshark.log | sed -n 's/.*Wireshark) \([0-9.]*\).*/\1/p' | head -n 1) shows of two VINs one behind the other $behind, of two whose frames alternate $between (with -2: $twice)"
[ "$behind" = 2 ]
[ "$between" = 0 ]
[ "$twice" = 0 ]
