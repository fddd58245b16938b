#!/usr/bin/env bash
# Expected: Libraries that hyphenate texts leave VINs alone: they are not words, have digits in them and must not be broken.
# Instead: hyphen and hypher look at the letters of a VIN as at a word. They put invisible soft hyphens (U+00AD) into it: SAL-GA,
#   as many Range Rovers begin, and SA-JAA (Jaguar) in each of eight languages, LBEHDA (a Hyundai of China) at one of three places,
#   and in German WAUZ-ZZ, with which Audis begin. The page looks as before.
# Version: hyphen 1.14.1 and hypher 0.2.5 with hyphenation.en-us 0.2.1, 30 November 2026.
# Matters because: Whoever copies the VIN from the page gets eighteen characters or more, and the form that it is pasted into
#   finds it too long, or finds no car, while a person counts seventeen. VINs of other cars are whole. Give VINs an element of their
#   own that is left out, or remove U+00AD where a VIN is read.
# Source: Unicode: U+00AD is a place to hyphenate, and is shown only where a line is broken.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts hyphen@1.14.1 hypher@0.2.5 hyphenation.en-us@0.2.1 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const Hypher = require('hypher');
const VINS = ['SALGA2EV5HA000000', 'SAJAA01L34F000000', 'LBEHDAFB8AY000000', 'WAUZZZ8K9BA000000', '1HGCM82633A000000', 'ZFA22300005000000'];
const visible = (text) => text.replaceAll('\u00AD', '-');
const changed = (write) => VINS.map(write).filter((text, at) => text !== VINS[at]);
const seen = {};
for (const language of ['en-us', 'de', 'fr', 'it', 'nl', 'es', 'sv', 'pl']) {
  seen[language] = changed((vin) => require(`hyphen/${language}`).hyphenateSync(vin)).map(visible);
  console.log('hyphen %s, %s: %s', require('hyphen/package.json').version, language, seen[language].join(' '));
}
const hypher = new Hypher(require('hyphenation.en-us'));
seen.hypher = changed((vin) => hypher.hyphenateText(vin)).map(visible);
console.log('hypher %s, en-us: %s', require('hypher/package.json').version, seen.hypher.join(' '));
const copied = require('hyphen/en-us').hyphenateSync(`Sold: ${VINS[0]}.`).match(/SAL\S*000000/)[0];
console.log('copied from a sentence: %s, %d characters', copied, copied.length);
const rover = Object.values(seen).every((texts) => texts.includes('SAL-GA2EV5HA000000') && texts.includes('SA-JAA01L34F000000'));
const whole = Object.values(seen).every((texts) => !texts.some((text) => text.startsWith('1H') || text.startsWith('ZF')));
process.exit(rover && whole && seen.de.includes('WAUZ-ZZ8K9BA000000') && copied.length === 18 ? 0 : 1);
EOF
node run.cjs
