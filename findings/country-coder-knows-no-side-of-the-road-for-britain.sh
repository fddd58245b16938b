#!/usr/bin/env bash
# Expected: A library that knows on which side of the road each country drives, and in which unit its signs give speeds,
#   says for GB left and mph, as its README does.
# Instead: country-coder answers null for the codes of Great Britain, the United States (but mph) and China: where a part of a
#   country differs, such as the Virgin Islands or Hong Kong, it has the side for each part only. For a place in these
#   countries, and for the codes of all others, it answers.
# Version: @rapideditor/country-coder 5.6.1, 29 November 2026; it belongs to iD, the editor of OpenStreetMap.
# Matters because: Who has a country and no place, such as that of a plate, of a plant or of a buyer, gets no side for three of
#   the largest markets. null is not left, so that a program that asks for left lets Britain drive on the right.
# Source: The README of the package: driveSide('GB') returns 'left', roadSpeedUnit('GB') returns 'mph'.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @rapideditor/country-coder@5.6.1 >> npm.log 2>&1
readme=node_modules/@rapideditor/country-coder/README.md
echo 'README of @rapideditor/country-coder 5.6.1:'
grep -E "^(driveSide|roadSpeedUnit|roadHeightUnit)\('GB'\)" $readme
cat > run.mjs <<'EOS'
import { borders, driveSide, roadHeightUnit, roadSpeedUnit } from '@rapideditor/country-coder';
const show = (query) => `${driveSide(query)}, ${roadSpeedUnit(query)}, ${roadHeightUnit(query)}`;
for (const code of ['GB', 'US', 'CN', 'JP', 'DE']) console.log('%s: %s', code, show(code));
console.log('London: %s; Chicago: %s; Beijing: %s', show([-0.13, 51.51]), show([-87.63, 41.88]), show([116.39, 39.91]));
const codes = borders.features.map(({ properties }) => properties).filter(({ iso1A2, level }) => iso1A2?.length === 2 && /^(country|territory|sharedLandform|subterritory)$/.test(level));
const without = codes.map(({ iso1A2 }) => iso1A2).filter((code) => driveSide(code) === null);
console.log('of %d codes of countries and territories without a side: %s', codes.length, without.join(', '));
const right = show('GB') === 'null, null, null' && show('US') === 'null, mph, null' && driveSide('CN') === null && show([-0.13, 51.51]) === 'left, mph, ft' && show('JP') === 'left, km/h, m';
process.exit(right && without.sort().join() === 'CN,GB,US' ? 0 : 1);
EOS
node run.mjs
