#!/usr/bin/env bash
# Expected: The receiver of a car sends RMC sentences, with date and time, and GGA sentences between them, with the time alone. A reader
#   that keeps the state of the receiver takes the date of a GGA from the RMC before it.
# Instead: gps dates each GGA and GLL to the day on which it is read, and stores that as the time of the state. In a log of
#   March 2024 the car jumps to today and back again each second. On the road the same happens at midnight (UTC): a position of
#   23:59:59 that arrives a second later is dated a day ahead, and the next one is back.
# Version: gps 0.9.0, 30 November 2026.
# Matters because: Trips, stops, driving times and speeds are computed from these times. Five seconds of the old log last 990 days, and a
#   trip over midnight leads into the next day and back.
# Source: NMEA 0183: GGA and GLL hold the time of day in UTC and no date; RMC and ZDA hold the date. The library's README names
#   "time" among the latest values of its state, with no word on the date.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts gps@0.9.0 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { mock } = require('node:test');
const { GPS } = require('gps');
mock.timers.enable({ apis: ['Date'] });
const sentence = (body) => `$${body}*${[...body].reduce((sum, character) => sum ^ character.charCodeAt(0), 0).toString(16).padStart(2, '0')}`;
const rmc = (time, date) => sentence(`GPRMC,${time},A,5230.0000,N,01324.0000,E,027.0,045.0,${date},,,A`);
const gga = (time) => sentence(`GPGGA,${time},5230.0000,N,01324.0000,E,1,08,0.9,40.0,M,44.0,M,,`);
const gll = (time) => sentence(`GPGLL,5230.0000,N,01324.0000,E,${time},A,A`);
function drive(name, ...lines) {
  const gps = new GPS();
  const times = lines.map(([read, line]) => {
    mock.timers.setTime(Date.parse(read));
    if (!gps.update(line)) throw new Error(`not read: ${line}`);
    return gps.state.time.toISOString().slice(0, 19);
  });
  console.log(`${name}:`);
  lines.forEach(([read, line], index) => console.log(`  read at ${read}: ${line.split(',', 1)[0].slice(1)} is of ${times[index]}`));
  return times.join();
}
const noon = '2026-11-30T12:00:00Z';
console.log('gps', require('gps/package.json').version);
const log = drive('log of 15 March 2024', [noon, rmc('101500.00', '150324')], [noon, gga('101501.00')], [noon, rmc('101502.00', '150324')], [noon, gll('101505.00')]);
const night = drive(
  'on the road at midnight',
  ['2026-11-30T23:59:58Z', rmc('235958.00', '301126')],
  ['2026-12-01T00:00:00Z', gga('235959.00')],
  ['2026-12-01T00:00:01Z', rmc('000000.00', '011226')],
);
const asStated =
  log === '2024-03-15T10:15:00,2026-11-30T10:15:01,2024-03-15T10:15:02,2026-11-30T10:15:05' && night === '2026-11-30T23:59:58,2026-12-01T23:59:59,2026-12-01T00:00:00';
process.exit(asStated ? 0 : 1);
EOS
node run.cjs
