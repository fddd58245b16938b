#!/usr/bin/env bash
# Expected: A parser of GS1 bar codes refuses a VIN: it has no application identifiers, and GS1 has none for VINs.
# Instead: gs1-barcode-parser-mod takes the first two digits for one. A VIN of Renault or Honda of Brazil (93Y, 93H) is
#   company internal information, and that of a trailer whose WMI begins with 10 is a batch number, each without its
#   first two characters. Most other VINs are an error.
# Version: gs1-barcode-parser-mod 1.2.1, 29 November 2026.
# Matters because: A program for a yard or a warehouse that asks this parser first, and takes a VIN where it fails, works
#   until a car of Brazil comes. Ask for seventeen characters first, or for the symbology that the reader names.
# Source: GS1 General Specifications, application identifiers 10 and 90 to 99; FNC1 in front marks a GS1 symbol.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts gs1-barcode-parser-mod@1.2.1 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createRequire } from 'node:module';
const { parseBarcode } = createRequire(import.meta.url)('gs1-barcode-parser-mod');
const answers = ['93YLSR1RHCJ123456', '93HGK5860CZ123456', '10BFD2026R1005678', '1HGCM82633A004352', 'WVWZZZ1KZ9W123456'].map((vin) => {
  let answer;
  try {
    answer = parseBarcode(vin).parsedCodeItems.map(({ ai, dataTitle, data }) => `(${ai}) ${dataTitle} ${data}`).join();
  } catch (error) {
    answer = `an error: ${error.message ?? error}`;
  }
  console.log('gs1-barcode-parser-mod makes of %s %s', vin, answer);
  return answer;
});
if (answers.slice(0, 3).join() !== '(93) INTERNAL YLSR1RHCJ123456,(93) INTERNAL HGK5860CZ123456,(10) BATCH/LOT BFD2026R1005678' || !answers.slice(3).every((answer) => answer.startsWith('an error'))) process.exit(1);
EOF
node run.mjs
