#!/usr/bin/env bash
# Expected: A server for vehicle trackers dates a position as the tracker does.
# Instead: The TK510 sends the date as NMEA sentences have it, day, month, year: 291126. gps-tracking reads year,
#   month, day: the position of 29 November 2026 is of 26 November 2029, that of 1 December of 26 December 2001. Place
#   and speed are right.
# Version: gps-tracking 1.1.1, adapter TK510, 29 November 2026.
# Matters because: The positions of one month are spread over thirty years, and a list by time has the days of all
#   months mixed. In 2026 the date is right on the 26th of each month only. Logbooks and proof for an insurer go by it.
# Source: NMEA 0183, sentence RMC: date is ddmmyy; the pattern of Traccar for the same tracker (Meiligao) agrees.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts gps-tracking@1.1.1 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { adapter } = require('gps-tracking/lib/adapters/tk510');
const tracker = adapter({});
const dates = ['261126', '291126', '011226', '150131'].map((date) => {
  const body = Buffer.from(`121500.000,A,2333.0000,S,04637.8000,W,12.5,090.0,${date},,*1C|1.1|0760|0000`);
  const message = Buffer.concat([Buffer.from('2424005f123456789012349955', 'hex'), body, Buffer.from('00000d0a', 'hex')]);
  const { datetime, latitude, longitude } = tracker.get_ping_data(tracker.parse_data(message));
  const read = datetime.toISOString().slice(0, 10);
  console.log('gps-tracking reads ddmmyy %s as %s, at %d %d', date, read, latitude, longitude);
  return read;
});
process.exit(dates.join() === '2026-11-26,2029-11-26,2001-12-26,2015-01-31' ? 0 : 1);
EOS
TZ=UTC node run.cjs
