#!/usr/bin/env bash
# Expected: A parser for the messages of a vehicle tracker gives the temperature of a refrigerated truck.
# Instead: complete-teltonika-parser reads every value without a sign. -18 degrees, sent as -180 tenths, are
#   4294967116, the height of a truck three meters below the sea is 65533, and braking (axis X) is 64636 instead of
#   -900. Longitude and latitude have their signs.
# Version: complete-teltonika-parser 0.3.4, 29 November 2026.
# Matters because: Above zero everything is right. An alarm for "warmer than -15 degrees" rings as soon as the freezer
#   is cold, and one for hard braking never does. Subtract 2 to the power of the number of bits where the value is too
#   large.
# Source: Teltonika, AVL identifiers: 72 (Dallas temperature, four bytes) and 236 (axis X, two bytes) are signed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts complete-teltonika-parser@0.3.4 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { ProtocolParser } = require('complete-teltonika-parser');
const number = (value, bytes) => BigInt.asUintN(8 * bytes, BigInt(value)).toString(16).padStart(2 * bytes, '0');
const crc16 = (bytes) => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;
};
const read = (height, axis, tenths) => {
  const position = number(1_700_000_000_000, 8) + '00' + number(-300_000_000, 4) + number(500_000_000, 4) + number(height, 2) + '0000' + '09' + '0000';
  const elements = number(72, 2) + number(2, 2) + number(0, 2) + number(1, 2) + number(236, 2) + number(axis, 2) + number(1, 2) + number(72, 2) + number(tenths, 4) + '0000'.repeat(2);
  const data = `8e01${position}${elements}01`;
  const packet = number(0, 4) + number(data.length / 2, 4) + data + number(crc16(Buffer.from(data, 'hex')), 4);
  const { GPSelement, IOelement } = new ProtocolParser(packet).Content.AVL_Datas[0];
  const values = [GPSelement.Longitude, GPSelement.Altitude, IOelement.Elements[236], IOelement.Elements[72]];
  console.log('complete-teltonika-parser reads height %d, axis X %d and temperature %d as %s (longitude %d)', height, axis, tenths, values.slice(1).join(', '), values[0]);
  return values.join();
};
const answers = [read(3, 900, 40), read(-3, -900, -180)];
process.exit(answers.join(' ') === '-30,3,900,40 -30,65533,64636,4294967116' ? 0 : 1);
EOS
node run.cjs
