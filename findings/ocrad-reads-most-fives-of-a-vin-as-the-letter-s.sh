#!/usr/bin/env bash
# Expected: A program that recognizes text takes 0 for O and 1 for I, which VINs do not have, so that their rules undo
#   it.
# Instead: GNU Ocrad, told to expect capitals and digits (--filter=upper_num), also reads most fives as S, and VINs
#   have both. Of 60 VINs in a clear picture it reads 10. gocr, told which characters there are, reads all 60 of the
#   same picture.
# Version: ocrad 0.28-3 and gocr 0.52-6 of Debian 12, rendered by @napi-rs/canvas 1.1.1 in DejaVu Sans Mono, 29
#   November 2026.
# Matters because: After O and I are mended, the VIN with S looks right and is another one, unless a check digit tells:
#   try a 5 for each S, at least among the last four characters, which are digits.
# Source: ISO 3779 leaves out I, O and Q, and asks for digits in the last four places.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" ocrad=0.28-3 gocr=0.52-6 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @napi-rs/canvas@1.1.1 dejavu-fonts-ttf@2.37.3 >> npm.log 2>&1
cat > draw.mjs <<'EOF'
import { writeFileSync } from 'node:fs';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
GlobalFonts.registerFromPath('node_modules/dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf', 'Plate');
let state = 99n;
const draw = (from) => from[Number((state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn) >> 33n) % from.length];
const vins = Array.from({ length: 60 }, () => Array.from({ length: 17 }, (_, at) => draw(at > 10 ? '0123456789' : '0123456789ABCDEFGHJKLMNPRSTUVWXYZ')).join(''));
const [width, height] = [900, 3640];
const context = createCanvas(width, height).getContext('2d');
context.fillStyle = 'white';
context.fillRect(0, 0, width, height);
context.fillStyle = 'black';
context.font = '40px Plate';
vins.forEach((vin, index) => context.fillText(vin, 40, 60 + index * 60));
const grays = context.getImageData(0, 0, width, height).data.filter((_, at) => at % 4 === 0);
writeFileSync('plates.pgm', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), Buffer.from(grays)]));
writeFileSync('plates.txt', vins.join('\n'));
EOF
node draw.mjs
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
usr/bin/ocrad --filter=upper_num plates.pgm > ocrad.txt
usr/bin/gocr -C 'A-HJ-NPR-Z0-9' plates.pgm > gocr.txt 2> gocr.log
cat > compare.mjs <<'EOF'
import { readFileSync } from 'node:fs';
const linesOf = (file) => readFileSync(file, 'latin1').split('\n').map((line) => line.trim()).filter(Boolean);
const vins = linesOf('plates.txt');
const judge = (file) => {
  const pairs = linesOf(file).map((text, index) => [vins[index], text]);
  const mended = pairs.map(([vin, text]) => [vin, text.replaceAll('O', '0').replaceAll('I', '1')]);
  const fives = pairs.filter(([vin, text]) => text.length === 17 && vin.includes('5')).flatMap(([vin, text]) => [...vin].flatMap((c, at) => (c === '5' ? [text[at]] : [])));
  const right = (list) => list.filter(([vin, text]) => vin === text).length;
  return { right: right(pairs), mended: right(mended), fives: fives.length, letters: fives.filter((c) => c === 'S').length, example: mended.find(([vin, text]) => text.length === 17 && text !== vin) };
};
const [ocrad, gocr] = [judge('ocrad.txt'), judge('gocr.txt')];
console.log('ocrad reads %d of 60 VINs, %d if O and I are mended, and %d of %d fives as S, such as %s', ocrad.right, ocrad.mended, ocrad.letters, ocrad.fives, ocrad.example.join(' as '));
console.log('gocr reads %d', gocr.right);
if (ocrad.letters < 0.5 * ocrad.fives || ocrad.mended > 45 || gocr.right < 55) process.exit(1);
EOF
node compare.mjs
