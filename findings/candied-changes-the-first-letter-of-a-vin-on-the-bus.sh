#!/usr/bin/env bash
# Expected: A decoder of CAN messages gives a signal of 56 bits, which carries seven characters of a VIN, as it was sent.
# Instead: candied gives it as a JavaScript number, which has 53 bits. In little-endian order the bits it rounds are those
#   of the first character: 7SAYGDEE becomes 7TAYGDEE, and 5NF123456 and 4NF123456 are the same.
# Version: candied 2.2.0, 29 November 2026.
# Matters because: Public DBC files of a common electric car send the VIN in two signals of 56 bits. The result has
#   seventeen characters of the right kind, and most letters are right. Read the bytes of the frame instead.
# Source: The form of the signals: public descriptions of message 0x405 (signals VINB405 and VINC405, 8|56@1+).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts candied@2.2.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createRequire } from 'node:module';
const { Can, Dbc } = createRequire(import.meta.url)('candied');
const can = new Can();
can.database = new Dbc().load('VERSION ""\n\nNS_ :\n\nBS_:\n\nBU_: CAR\n\nBO_ 1029 VIN: 8 CAR\n SG_ Part : 8|56@1+ (1,0) [0|0] "" CAR\n');
const decoded = (seven) => {
  const { value } = can.decode(can.createFrame(1029, [17, ...Buffer.from(seven)], false)).boundSignals.get('Part');
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes.subarray(0, 7).toString('latin1');
};
const sent = ['SAYGDEE', '5NF1234', '4NF1234', 'HGCM826'];
const read = sent.map(decoded);
console.log('candied reads %s as %s', sent.join(), read.join());
if (read.join() !== 'TAYGDEE,4NF1234,4NF1234,HGCM826') process.exit(1);
EOF
node run.mjs
