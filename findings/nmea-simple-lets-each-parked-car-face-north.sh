#!/usr/bin/env bash
# Expected: A library for NMEA sentences tells a field that the receiver left empty from one that is zero.
# Instead: nmea-simple makes 0 of each. Receivers leave the course empty while the vehicle stands: it faces north, in a sentence
#   with status A. In a garage, without a position, the car is at 0 degrees north and 0 degrees east, in the Gulf of Guinea, at
#   sea level. Its own encoder then writes the zeros as a position. The package gps gives null for all of them.
# Version: nmea-simple 3.3.0 and gps 0.9.0, 30 November 2026.
# Matters because: On a map a parked car turns north and back again each time it stops, and trips get a straight line to Africa,
#   unless the status is looked at. Zero is a course and a place that vehicles have.
# Source: NMEA 0183: a field for which there is no data is left empty.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts nmea-simple@3.3.0 gps@0.9.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { parseNmeaSentence, encodeNmeaPacket } = require('nmea-simple');
const { GPS } = require('gps');
const sentence = (text) => `$${text}*${[...text].reduce((sum, _, at) => sum ^ text.charCodeAt(at), 0).toString(16).toUpperCase().padStart(2, '0')}`;
const standing = sentence('GPRMC,120000.00,A,5230.00000,N,01324.00000,E,000.0,,300626,,,A');
const garage = sentence('GPGGA,120000.00,,,,,0,00,99.9,,M,,M,,');
const parked = parseNmeaSentence(standing);
const lost = parseNmeaSentence(garage);
const [otherParked, otherLost] = [standing, garage].map((text) => GPS.Parse(text));
const encoded = encodeNmeaPacket(lost, 'GP');
console.log('nmea-simple %s, standing (%s): status %s, course %s', require('nmea-simple/package.json').version, standing, parked.status, parked.trackTrue);
console.log('in a garage (%s): fix %s, %s north, %s east, height %s', garage, lost.fixType, lost.latitude + 0, lost.longitude + 0, lost.altitudeMeters);
console.log('encoded again: %s', encoded);
console.log('gps %s: course %s; %s north, %s east, height %s', require('gps/package.json').version, otherParked.track, otherLost.lat, otherLost.lon, otherLost.alt);
const zero = [parked.trackTrue, lost.latitude, lost.longitude, lost.altitudeMeters].every((value) => value === 0);
const none = [otherParked.track, otherLost.lat, otherLost.lon, otherLost.alt].every((value) => value === null);
process.exit(zero && none && parked.status === 'valid' && encoded.includes(',0000.000000,N,00000.000000,E,0,') ? 0 : 1);
EOF
node run.cjs
