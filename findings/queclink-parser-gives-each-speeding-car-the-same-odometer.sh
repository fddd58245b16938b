#!/usr/bin/env bash
# Expected: A parser of trackers gives the odometer that the tracker reports, in events as in its regular positions.
# Instead: queclink-parser, for events of the GV500 (too fast, towed, idling, harsh braking, a zone), takes the number
#   of fields in the message less three: each car has 20 km on its odometer. Regular positions have the right one.
# Version: queclink-parser 1.4.1, 29 November 2026.
# Matters because: The GV500 sits in the OBD socket and reads the VIN, so that its odometer becomes the car's. A value
#   that falls to 20 and rises again with each event looks like tampering, or makes a service due.
# Source: Queclink, GV500 @Track Air Interface Protocol: the mileage in km stands before the time of sending.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts queclink-parser@1.4.1 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const parser = require('queclink-parser');
const car = ['1F0101', '000000000000000', 'WVWZZZ1KZ9W000000', 'CAR'];
const place = ['1', '90', '45', '210.0', '10.000000', '50.000000', '20261129120000', '0262', '0001', '18D8', '6141', '00'];
const sent = (...fields) => `+RESP:${fields.join(',')},20261129120001,0001$`;
const position = (km) => sent('GTFRI', ...car, '12800', '00', '1', ...place, km, '00001:00:00', '', '', '100', '220000', '2100', '6.5', '50');
const event = (kind, km) => sent(kind, ...car, '', '01', '1', ...place, km);
const odometer = (raw) => {
  const { alarm, odometer, speed } = parser.parse(raw);
  console.log('%s (%d km/h): odometer %d km', alarm.status === undefined ? alarm.type : `${alarm.type}, ${alarm.status}`, speed, odometer);
  return odometer;
};
const odometers = ['64250.3', '181234.5'].map((km) => {
  console.log('queclink-parser reads of a car with %d km:', km);
  return [position(km), ...['GTSPD', 'GTTOW', 'GTHBM', 'GTGEO'].map((kind) => event(kind, km))].map(odometer);
});
if (JSON.stringify(odometers) !== '[[64250.3,20,20,20,20],[181234.5,20,20,20,20]]') process.exit(1);
EOS
node run.cjs
