#!/usr/bin/env bash
# Expected: A program that gives names to the numbers of Volkswagen's Data Act files counts the names from the first.
# Instead: ioBroker's vw-connect loses the first name wherever the list begins with the words "Possible values:", so
#   that each number gets the name of the next one: 3, charging, becomes "discharging", and alternating current (2)
#   becomes direct current. 53 of 87 lists are read so; where the list stands alone, the names are right.
# Version: iobroker.vw-connect 0.9.11, 29 November 2026.
# Matters because: These files are what the EU Data Act gives owners, by VIN, of Volkswagen, Audi, Seat, Cupra, Skoda
#   and Bentley. They hold names in most cases and numbers in some; only the latter are wrong, and look right.
# Source: The dictionary of the fields, in the same package: CHARGE_STATE_INVALID is the first name, number 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iobroker.vw-connect@0.9.11 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { normalizeDataset, loadDictionary } = require('iobroker.vw-connect/lib/euDataAct.js');
const fields = Object.entries(loadDictionary()).filter(([, { type }]) => type === 'enum');
const read = (name, value) => {
  const [key, { description }] = fields.find(([, field]) => field.name === name);
  const data = normalizeDataset({ vin: 'WVWZZZE1ZNP000000', Data: [{ key, dataFieldName: name, value: String(value) }] });
  const names = description.replaceAll(/\s+/g, '').replace(/^.*Possiblevalues:/, '').split(',');
  const shown = name.split('.').reduce((level, part) => level[part], data);
  console.log('%s %d is %s, shown as %s', name, value, names[value], shown);
  return names.indexOf(shown) - value;
};
const lists = fields.map(([, { description }]) => description.split(',').map((part) => part.replaceAll(/\s+/g, '')));
const isName = (part) => /^[A-Z][A-Z0-9_]*$/.test(part);
const read2 = lists.filter((list) => list.filter(isName).length > 1);
const late = read2.filter(([first]) => /Possiblevalues:[A-Z][A-Z0-9_]*$/.test(first));
console.log('iobroker.vw-connect %s: %d lists of names, %d read from the second name', require('iobroker.vw-connect/package.json').version, read2.length, late.length);
const state = 'charging_state_report.current_charge_state';
const shifts = [read(state, 1), read(state, 2), read(state, 3), read('charging_state_report.charge_type', 1), read('charging_state_report.charge_type', 2)];
const alone = [read('settings.auto_unlock_ac', 1), read('settings.max_charge_current_ac', 1)];
if (shifts.some((shift) => shift !== 1) || alone.some((shift) => shift !== 0) || read2.length !== 87 || late.length !== 53) process.exit(1);
EOS
node run.cjs
