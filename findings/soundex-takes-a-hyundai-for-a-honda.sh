#!/usr/bin/env bash
# Expected: The codes by which databases and libraries find names that were spelled wrong tell the largest makes of cars apart:
#   they differ in sound.
# Instead: Soundex gives Honda and Hyundai one code (H530), and so Toyota and Tata, Skoda and Seat, Dodge and Daihatsu, Mini and MAN:
#   it has three consonants, without vowels and doubles. Double Metaphone joins Honda and Hyundai, and Toyota and Tata, as well.
#   Of 40 makes only Mini and MAN are one to Metaphone.
# Version: soundex-code 2.0.1, double-metaphone 2.0.1 and metaphone 2.0.1, 30 November 2026.
# Matters because: Imports of customers' lists mend the make that way ("Hundai", "Tojota"), and SOUNDEX is in most databases. The
#   mended make is another one of the same size, in the same price list, which nobody sees; with the VIN it is known.
# Source: The National Archives of the United States, the Soundex indexing system.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts soundex-code@2.0.1 double-metaphone@2.0.1 metaphone@2.0.1 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { doubleMetaphone } from 'double-metaphone';
import { metaphone } from 'metaphone';
import { soundex } from 'soundex-code';
const MAKES = 'Toyota Volkswagen Ford Honda Hyundai Nissan Chevrolet Kia Mercedes BMW Audi Renault Peugeot Fiat Mazda Suzuki Tata Skoda Opel Citroen Volvo Seat Dacia Mitsubishi Subaru Lexus Jeep Dodge Daihatsu Mini MAN Porsche Jaguar Tesla BYD Geely Chery Isuzu Iveco Scania'.split(' ');
const codes = { Soundex: (make) => soundex(make), 'Double Metaphone': (make) => doubleMetaphone(make)[0], Metaphone: (make) => metaphone(make) };
const seen = {};
console.log('%d makes', MAKES.length);
for (const [name, code] of Object.entries(codes)) {
  const groups = new Map();
  for (const make of MAKES) groups.set(code(make), [...(groups.get(code(make)) ?? []), make]);
  seen[name] = [...groups.values()].filter((makes) => makes.length > 1).map((makes) => makes.join('='));
  console.log('%s: %s', name, [...groups].filter(([, makes]) => makes.length > 1).map(([key, makes]) => `${makes.join(' and ')} (${key})`).join(', '));
}
const both = ['Toyota=Tata', 'Honda=Hyundai', 'Mini=MAN'];
const ok = MAKES.length === 40 && [...both, 'Skoda=Seat', 'Dodge=Daihatsu'].every((pair) => seen.Soundex.includes(pair)) && both.every((pair) => seen['Double Metaphone'].includes(pair));
process.exit(ok && seen.Metaphone.join() === 'Mini=MAN' ? 0 : 1);
EOF
node run.mjs
