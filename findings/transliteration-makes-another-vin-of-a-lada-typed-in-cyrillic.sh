#!/usr/bin/env bash
# Expected: A library that writes Cyrillic letters as Latin ones makes the VIN of a Lada, XTA and digits, of one that
#   was typed on a Russian keyboard with letters that look the same.
# Instead: transliteration goes by sound: the letter that looks like X is H, and those that look like B, P, C and H are
#   V, R, S and N. The VIN begins with HTA, that of a Volkswagen of Kaluga (XW8) with HW8: seventeen characters that a
#   VIN may have, of another maker. confusables goes by look and gives XTA and XW8.
# Version: transliteration 2.6.1 and confusables 1.1.1, 29 November 2026.
# Matters because: Twelve Cyrillic capitals look like Latin ones, and a VIN typed or copied from Russian papers can
#   hold both. Slugs, file names and search indexes made this way name a vehicle that does not exist; X, with which
#   many Russian VINs begin, is always wrong.
# Source: ISO 3779 for the characters of a VIN; Unicode Technical Standard 39 for letters that look alike.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts transliteration@2.6.1 confusables@1.1.1 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createRequire } from 'node:module';
import { transliterate } from 'transliteration';
const { remove } = createRequire(import.meta.url)('confusables');
const cyrillic = (vin) => vin.replaceAll(/[ABCEHKMOPTX]/g, (letter) => '\u0410\u0412\u0421\u0415\u041d\u041a\u041c\u041e\u0420\u0422\u0425'['ABCEHKMOPTX'.indexOf(letter)]);
const answers = ['XTA21070052123456', 'XW8ZZZ61ZEG012345'].flatMap((vin) => {
  const typed = cyrillic(vin);
  console.log('%s (%s with %d Cyrillic letters): transliteration %s, confusables %s', typed, vin, typed.match(/[\u0400-\u04ff]/g).length, transliterate(typed), remove(typed));
  return [transliterate(typed), remove(typed)];
});
if (answers.join() !== 'HTA21070052123456,XTA21070052123456,HW8ZZZ61ZEG012345,XW8ZZZ61ZEG012345') process.exit(1);
EOF
node run.mjs
