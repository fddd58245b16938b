#!/usr/bin/env bash
# Expected: The text of a form has the VIN as it was typed into its field.
# Instead: Registration and insurance forms have a field of seventeen boxes ("comb"). pdftotext ends the line behind most
#   characters, and puts a space behind wide ones such as W: WVWZZZ1KZ9W123456 becomes twelve lines. From the same
#   field without boxes it gives the VIN.
# Version: poppler-utils 22.12.0-2+deb12u3 of Debian 12, form by pdf-lib 1.17.1, 29 November 2026.
# Matters because: A search for seventeen characters in the text of a form finds none, and where it is cut depends on the
#   VIN and on the width of the boxes. The field's value in the file is whole: read that where there is one.
# Source: ISO 32000-1, 12.7.4.3: flag Comb of text fields.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts pdf-lib@1.17.1 >> npm.log 2>&1
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only -o Dir::Cache::archives="$folder/packages" poppler-utils=22.12.0-2+deb12u3 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > write.mjs <<'EOF'
import { writeFileSync } from 'node:fs';
import { PDFDocument, StandardFonts } from 'pdf-lib';
for (const [name, boxes] of [['boxes', true], ['piece', false]]) {
  const file = await PDFDocument.create();
  const field = file.getForm().createTextField('vin');
  if (boxes) {
    field.setMaxLength(17);
    field.enableCombing();
  }
  field.setText('WVWZZZ1KZ9W123456');
  field.addToPage(file.addPage([420, 120]), { x: 20, y: 50, width: 340, height: 20, font: await file.embedFont(StandardFonts.Helvetica) });
  field.setFontSize(12);
  writeFileSync(`${name}.pdf`, await file.save());
}
EOF
node write.mjs
text() { usr/bin/pdftotext "$1" - | tr -d '\f' | sed '/^ *$/d' | tr '\n' '/'; }
usr/bin/pdftotext -v 2>&1 | sed -n 1p
echo "of a field in one piece (/ ends a line): $(text piece.pdf)"
echo "of seventeen boxes: $(text boxes.pdf)"
[ "$(text piece.pdf)" = WVWZZZ1KZ9W123456/ ]
[ "$(text boxes.pdf)" = 'W V W Z/Z/Z/1/K/Z/9 W 1/2/3/4/5/6/' ]
