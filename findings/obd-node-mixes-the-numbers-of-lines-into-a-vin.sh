#!/usr/bin/env bash
# Expected: A library for OBD-II adapters gives the VIN that a car sends in three frames.
# Instead: An ELM327 writes such an answer as a length and three numbered lines. obd-node joins them without spaces and
#   takes every pair of hexadecimal digits for a character, the length and the numbers with them: 1HGCM82633A004352
#   becomes @I1HG4#c32A004352, WVWZZZ1KZ9W123456 becomes @IWVWW123456.
# Version: obd-node 1.0.0, 29 November 2026.
# Matters because: Cars sold in the United States since 2008 all send the VIN so. The end of the serial number is
#   right, so that a look at the last digits seems to confirm it. Take the digits behind each colon.
# Source: ELM327 data sheet, multiline responses; ISO 15765-2; SAE J1979, service 09, InfoType 02.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts obd-node@1.0.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { OBD2_COMMANDS, OBD2Connection } = require('obd-node');
const clean = OBD2Connection.prototype.cleanResponse;
const answers = ['1HGCM82633A004352', 'WVWZZZ1KZ9W123456'].map((vin) => {
  const bytes = Buffer.from(`\x49\x02\x01${vin}`).toString('hex').toUpperCase();
  const lines = `014\r0:${bytes.slice(0, 12)}\r1:${bytes.slice(12, 26)}\r2:${bytes.slice(26)}\r\r>`;
  const answer = OBD2_COMMANDS.VIN.decoder(clean(lines));
  console.log('obd-node reads %s, sent as %s, as %s', vin, lines.trim().replaceAll('\r', ' '), answer);
  return answer;
});
if (answers.join() !== '@I1HG4#c32A004352,@IWVWW123456') process.exit(1);
EOF
node run.cjs
