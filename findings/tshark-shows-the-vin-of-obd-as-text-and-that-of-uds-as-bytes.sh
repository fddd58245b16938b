#!/usr/bin/env bash
# Expected: The two usual ways to read a VIN over CAN, service 09 of OBD-II and ReadDataByIdentifier F190 of UDS, show
#   it alike.
# Instead: The dissector of OBD-II prints the VIN; that of UDS prints data identifier 0xf190 without a name and 17
#   bytes.
# Version: tshark 4.0.17-0+deb12u3 of Debian 12, 28 November 2026.
# Matters because: A display filter or a script that searches for the VIN as text finds it for one tester and not for
#   the other.
# Source: ISO 14229-1, annex C: F190 is the VIN.
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
capture('obd.pcap', isoTp([0x49, 2, 1, ...vin]));
capture('uds.pcap', isoTp([0x62, 0xf1, 0x90, ...vin]));
EOF
node write.mjs
usr/bin/tshark -r obd.pcap -d can.subdissector,iso15765 -d iso15765.subdissector,obd-ii -V 2> tshark.log | grep -v '^[0-9a-f]\{4\}  ' > obd.txt
usr/bin/tshark -r uds.pcap -d can.subdissector,iso15765 -d iso15765.subdissector,uds -V 2>> tshark.log | grep -v '^[0-9a-f]\{4\}  ' > uds.txt
echo 'tshark shows of OBD-II and of UDS:'
grep -E 'VIN: ' obd.txt
grep -iE 'Data (Identifier|Record|:)' uds.txt | tail -n 3
grep -q 'VIN: 1HGCM82633A004352' obd.txt
grep -q '0xf190' uds.txt
! grep -qE '1HGCM82633A004352|VIN' uds.txt
