#!/usr/bin/env bash
# Expected: Restricting tesseract to the 33 characters of VINs turns the letter O into the digit 0.
# Instead: It leaves the character out: without the list the wrong lines have O for 0, or a character too many; with
#   it more lines are right, and most of the wrong ones are too short.
# Version: tesseract 5.3.0-2 of Debian 12, rendered by @napi-rs/canvas 1.1.1 in DejaVu Sans Mono, 28 November 2026.
# Matters because: A VIN of 15 or 16 characters from OCR most probably lacks a zero: the message to the user, and the
#   repair, should say so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only -o Dir::Cache::archives="$folder/packages" tesseract-ocr=5.3.0-2 tesseract-ocr-eng > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @napi-rs/canvas@1.1.1 dejavu-fonts-ttf@2.37.3 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { writeFileSync } from 'node:fs';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
GlobalFonts.registerFromPath('node_modules/dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf', 'Plate');
let state = 99n;
const draw = (from) => from[Number((state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn) >> 33n) % from.length];
const vins = Array.from({ length: 60 }, () => Array.from({ length: 17 }, (_, at) => draw(at > 10 ? '0123456789' : '0123456789ABCDEFGHJKLMNPRSTUVWXYZ')).join(''));
const canvas = createCanvas(900, 3640);
const context = canvas.getContext('2d');
context.fillStyle = 'white';
context.fillRect(0, 0, 900, 3640);
context.fillStyle = 'black';
context.font = '40px Plate';
vins.forEach((vin, index) => context.fillText(vin, 40, 60 + index * 60));
writeFileSync('plates.png', canvas.toBuffer('image/png'));
writeFileSync('plates.txt', vins.join('\n'));
EOF
node run.mjs
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
export TESSDATA_PREFIX=$folder/usr/share/tesseract-ocr/5/tessdata
usr/bin/tesseract plates.png plain --psm 6 > ocr.log 2>&1
usr/bin/tesseract plates.png listed --psm 6 -c tessedit_char_whitelist=ABCDEFGHJKLMNPRSTUVWXYZ0123456789 >> ocr.log 2>&1
cat > compare.mjs <<'EOF'
import { readFileSync } from 'node:fs';
const linesOf = (file) => readFileSync(file, 'utf8').split('\n').map((line) => line.trim()).filter(Boolean);
const vins = linesOf('plates.txt');
const judge = (file) => {
  const wrong = linesOf(file).map((text, index) => [vins[index], text]).filter(([vin, text]) => vin !== text);
  return { wrong, right: vins.length - wrong.length, short: wrong.filter(([, text]) => text.length < 17).length };
};
const [plain, listed] = [judge('plain.txt'), judge('listed.txt')];
console.log('of 60 VINs tesseract reads right: %d, with the list of characters %d', plain.right, listed.right);
console.log('of its wrong lines are too short: %d of %d, with the list %d of %d', plain.short, plain.wrong.length, listed.short, listed.wrong.length);
for (const [vin, text] of listed.wrong.slice(0, 4)) console.log(`${vin} as ${text}`);
if (listed.right <= plain.right || listed.short < 0.75 * listed.wrong.length || plain.short > 0.25 * plain.wrong.length) process.exit(1);
EOF
node compare.mjs
