#!/usr/bin/env bash
# Expected: A parser for the answers of OBD-II reads bytes, which the adapter writes in hexadecimal, as hexadecimal.
# Instead: obd-raw-data-parser reads those of states and counters as binary. The fuel types 4 (diesel) and 8 (electric)
#   become 0, not available; a fuel system in closed loop (02), as in every warm gasoline engine, becomes 0; 17
#   warm-ups (11) are 3, and an air pressure of 101 kPa (65) is not a number. Speeds and temperatures are right.
# Version: obd-raw-data-parser 1.0.26, 29 November 2026.
# Matters because: A trial with speed and engine speed shows no fault, gasoline (01) is right, and 0 is a value that
#   the standard knows. Read these bytes from the answer itself.
# Source: SAE J1979, service 01, PIDs 03, 0D, 30, 33 and 51.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts obd-raw-data-parser@1.0.26 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { parseOBDResponse } = require('obd-raw-data-parser');
const answers = Object.entries({ 'speed of 64 km/h': '410D40', 'fuel type 1, gasoline': '415101', 'fuel type 4, diesel': '415104', 'fuel type 8, electric': '415108', 'fuel system 2, closed loop': '41030200', '17 warm-ups': '413011', 'air pressure of 101 kPa': '413365' }).map(([sent, answer]) => {
  const { value } = parseOBDResponse(answer);
  console.log('obd-raw-data-parser reads %s (%s) as %s', sent, answer, value.system1 ?? value);
  return String(value.system1 ?? value);
});
if (answers.join() !== '64,1,0,0,0,3,NaN') process.exit(1);
EOF
node run.cjs
