#!/usr/bin/env bash
# Expected: A parser for the messages of a vehicle tracker gives the VIN, 17 bytes of text in Codec 8 Extended, as
#   text.
# Instead: complete-teltonika-parser reads every element as an integer. The VIN 1HGCM82633A004352 becomes the decimal
#   number 16769910412938858446369571301085286708530, as a string.
# Version: complete-teltonika-parser 0.3.4, 29 November 2026.
# Matters because: A database gets a value without letters that looks like the identifier of a device. It is not lost:
#   as a hexadecimal number of 34 digits it is the bytes of the VIN.
# Source: Teltonika, data sending protocols, Codec 8 Extended, and the list of AVL identifiers: 256 is the VIN.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts complete-teltonika-parser@0.3.4 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createRequire } from 'node:module';
const { ProtocolParser } = createRequire(import.meta.url)('complete-teltonika-parser');
const number = (value, bytes) => BigInt(value).toString(16).padStart(2 * bytes, '0');
const crc16 = (bytes) => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;
};
const vin = '1HGCM82633A004352';
const position = number(1_700_000_000_000, 8) + '00' + '0'.repeat(30);
const elements = number(256, 2) + number(2, 2) + number(1, 2) + number(239, 2) + '01' + '0000'.repeat(3) + number(1, 2) + number(256, 2) + number(17, 2) + Buffer.from(vin).toString('hex');
const data = `8e01${position}${elements}01`;
const packet = number(0, 4) + number(data.length / 2, 4) + data + number(crc16(Buffer.from(data, 'hex')), 4);
const { Elements } = new ProtocolParser(packet).Content.AVL_Datas[0].IOelement;
const back = Buffer.from(BigInt(Elements[256]).toString(16), 'hex').toString();
console.log('complete-teltonika-parser: ignition %j, VIN %j; its bytes are %s', Elements[239], Elements[256], back);
if (Elements[239] !== 1 || !/^\d{41}$/.test(Elements[256]) || back !== vin) process.exit(1);
EOF
node run.mjs
