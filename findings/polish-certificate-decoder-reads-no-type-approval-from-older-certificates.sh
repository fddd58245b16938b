#!/usr/bin/env bash
# Expected: A decoder for the Aztec code on Polish registration certificates reads the same vehicle from the older form
#   of the code as from the newer, since both hold its fields in the same order.
# Instead: From the older form it leaves out type, variant and version (D.2), category (J), type approval (K) and
#   kilowatts per kilogram (Q). Its table has a place in the older form for each field before and after them, and
#   between those places are gaps of just their number, three, two and one. It names Q a property of the older form.
# Version: polish-vehicle-registration-certificate-decoder 0.5.0, 29 November 2026; the source of 1.0.1 is the same here.
#   The certificate is made up and has neither keeper nor plate.
# Matters because: The type approval with type, variant and version finds a car's technical data, and without category
#   a truck cannot be told from a car. A program that scans both forms gets them for some cars and undefined for others.
# Source: for the order of the fields, the table of the newer form in the README of drpdecompress, by the same author.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts polish-vehicle-registration-certificate-decoder@0.5.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import decoding from 'polish-vehicle-registration-certificate-decoder';
const none = (count) => Array(count).fill('---');
const vehicle = ['VOLKSWAGEN', '1K', 'ACCAXX0', 'FM5', 'GOLF', 'WVWZZZ1KZ9W000000', '2010-01-02', '---'];
const masses = ['1900', '1900', '3300', '1300', 'M1', 'e1*2001/116*0242*27', '2', '1400', '650', '0,07', '1390,00', '90,00', 'P'];
const older = ['AAA0000000', ...none(5), ...vehicle, ...none(8), ...masses, '---', '2009-03-01', '5', ...none(8)];
const newer = ['XXC1', 'AAA0000000', ...none(6), ...vehicle, ...none(22), ...masses, '2009-03-01', '5', ...none(13)];
// The code is compressed with NRV2E, of which eight bits that are set say that eight bytes follow as they are.
const code = (fields) => {
  const text = Buffer.from(fields.join('|'), 'utf16le');
  const parts = [Buffer.alloc(4)];
  parts[0].writeUInt32LE(text.length);
  for (let place = 0; place < text.length; place += 8) parts.push(Buffer.from([0xff]), Buffer.concat([text.subarray(place, place + 8)], 8));
  return Buffer.concat(parts).toString('base64');
};
const names = { E: 'numerIdentyfikacyjnyPojazdu', 'D.2 type': 'typPojazdu', 'D.2 variant': 'wariantPojazdu', 'D.2 version': 'wersjaPojazdu', 'D.3': 'modelPojazdu', G: 'masaWlasnaPojazduKg', J: 'kategoriaPojazdu', K: 'numerSwiadectwaHomologacjiTypuPojazdu', L: 'liczbaOsi', 'O.2': 'maksymalnaMasaCalkowitaPrzyczepyBezHamulcaKg', Q: 'stosunekMocyDoMasyWlasnejKWkg', 'P.1': 'pojemnoscSilnikaCm3', B: 'dataPierwszejRejestracjiPojazdu' };
const [before, after] = [older, newer].map((fields) => new decoding.PolishVehicleRegistrationCertificateDecoder(code(fields)).data);
console.log('polish-vehicle-registration-certificate-decoder 0.5.0:');
const lost = [];
for (const [name, key] of Object.entries(names)) {
  console.log('%s: newer form %s, older form %s', name, after[key]?.value, before[key]?.value);
  if (before[key] === undefined) lost.push(name);
  else if (before[key].value !== after[key].value) process.exit(1);
}
console.log('left out of the older form: %s', lost.join(', '));
process.exit(lost.join() === 'D.2 type,D.2 variant,D.2 version,J,K,Q' ? 0 : 1);
EOF
node run.mjs
