#!/usr/bin/env bash
# Expected: A parser that accepts Codec 16, which trackers of trucks speak, reads the values in it.
# Instead: teltonika-parser reads it as Codec 8, where an identifier has one byte and not two. Time, place and speed
#   are right. Of four values (ignition, voltage, odometer and the driver's key) it makes 240 others, none of them
#   sent: most have no identifier, and some are labeled, such as an air pressure of 16 million kPa.
# Version: teltonika-parser 0.0.15, 29 November 2026.
# Matters because: There is no error, and the map shows the truck where it is, so that a trial looks right; ignition
#   and odometer never come. The parser names the codec: leave the values out where it is 16.
# Source: Teltonika, data sending protocols, Codec 16: identifiers of two bytes, behind a generation type.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts teltonika-parser@0.0.15 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const Parser = require('teltonika-parser');
const number = (value, bytes) => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64BE(BigInt(value));
  return buffer.subarray(8 - bytes);
};
const sent = [[[239, 1]], [[66, 12_850]], [[16, 123_456]], [[78, 0x3333a1b2c3d4e5f6n]]];
const message = (codec) => {
  const wide = codec === 16 ? 2 : 1;
  const place = Buffer.alloc(15);
  place.writeInt32BE(100_000_000, 0);
  place.writeInt32BE(500_000_000, 4);
  place[12] = 9;
  place.writeUInt16BE(80, 13);
  const values = sent.flatMap((group, size) => [number(group.length, 1), ...group.flatMap(([id, value]) => [number(id, wide), number(value, 2 ** size)])]);
  const head = [number(1_700_000_000_000, 8), number(1, 1), place, number(239, wide), ...(wide === 2 ? [number(1, 1)] : []), number(4, 1)];
  const body = Buffer.concat([Buffer.from([codec, 1]), ...head, ...values, Buffer.from([1])]);
  return Buffer.concat([Buffer.alloc(4), number(body.length, 4), body, Buffer.alloc(4)]);
};
const read = (codec) => {
  const { gps, ioElements } = new Parser(message(codec)).getAvl().records[0];
  const right = ioElements.filter(({ id, value }) => sent.flat().some(([key, was]) => key === id && Number(was) === value));
  const named = ioElements.filter(({ id, label }) => Number.isInteger(id) && label);
  console.log('Codec %d: at %d, %d with %d km/h, %d values, %d of them as sent, with a label %s', codec, gps.latitude, gps.longitude, gps.speed, ioElements.length, right.length, named.map(({ label, value }) => `${label} ${value}`).join(', '));
  return { gps, all: ioElements.length, right: right.length };
};
const [old, wide] = [read(8), read(16)];
if (old.all !== 4 || old.right !== 3) process.exit(1);
if (wide.gps.latitude !== 50 || wide.gps.speed !== 80 || wide.all < 100 || wide.right > 0) process.exit(1);
EOS
node run.cjs 2> node.log
