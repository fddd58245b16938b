#!/usr/bin/env bash
# Expected: An engine's pressures go from Signal K to NMEA 2000, and from there to Signal K, as what they are.
# Instead: signalk-to-nmea2000 divides pascals by 100, but canboatjs, which writes the frame, takes pascals: 4 bar of oil
#   are 0.04 bar on the bus. n2k-signalk takes what canboatjs read for kilopascals, for coolant and fuel, not for oil:
#   1.5 bar of coolant on the bus are 1,500 bar in Signal K. There and back, oil has a hundredth and coolant tenfold.
# Version: signalk-to-nmea2000 2.24.0, @signalk/n2k-signalk 4.6.0, @canboat/canboatjs 3.20.0, 29 November 2026.
# Matters because: NMEA 2000 is J1939 for boats and their diesels. 0.04 bar of oil is an engine to be stopped at once,
#   and no limit for an alarm fits both sides. Users have told of each of the two factors, of the thousand since 2020.
# Source: canboat's definition of group 127489, in pascals, and Signal K's schema, in pascals as well; n2k-signalk's
#   issues 206 and 334, open, and signalk-to-nmea2000's pull request 74, closed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts signalk-to-nmea2000@2.24.0 @signalk/n2k-signalk@4.6.0 @signalk/signalk-schema@1.8.2 @canboat/canboatjs@3.20.0 @canboat/ts-pgns@1.11.18 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { FromPgn, pgnToActisenseSerialFormat } = require('@canboat/canboatjs');
const { N2kMapper } = require('@signalk/n2k-signalk');
const [, engine] = require('signalk-to-nmea2000/conversions/engineParameters.js')({}, {});
const [parameters] = engine.conversions({ ENGINE_PARAMETERS: { engines: [{ signalkId: 'port', instanceId: 0 }] } });
const decode = (group) => {
  const text = pgnToActisenseSerialFormat(group);
  const { fields } = new FromPgn().parseString(text);
  const { values } = new N2kMapper({}, {}).toDelta(new FromPgn().parseString(text)).updates[0];
  return [fields, Object.fromEntries(values.map(({ path, value }) => [path.replace('propulsion.port.', ''), value]))];
};
console.log('signalk-to-nmea2000 2.24.0, n2k-signalk 4.6.0, canboatjs 3.20.0, in pascals:');
const pascals = { oilPressure: 400000, coolantPressure: 150000, 'fuel.pressure': 300000 };
const [group] = parameters.callback(...parameters.keys.map((key) => pascals[key.replace('propulsion.port.', '')] ?? null));
const [fields, back] = decode(group);
const [, read] = decode({ pgn: 127489, Instance: 0, 'Oil pressure': 400000, 'Coolant Pressure': 150000, 'Fuel Pressure': 300000 });
const shown = Object.keys(pascals).map((key) => {
  const row = [pascals[key], fields[key.replace('.p', 'P')], read[key], back[key]];
  console.log('%s: %d in Signal K are %d on the bus; the same on the bus are %d in Signal K; there and back %d', key, ...row);
  return row.join();
});
if (shown.join(' ') !== '400000,4000,400000,4000 150000,1500,150000000,1500000 300000,3000,300000000,3000000') process.exit(1);
EOF
node run.cjs
