#!/usr/bin/env bash
# Expected: A parser for vehicle trackers gives the state of the inputs, such as ignition, doors and a panic button.
# Instead: Inputs come four in a hexadecimal digit, which meitrack-parser reads as a decimal one: A to F are no number,
#   and all four are off. That is so as soon as input 4 is on together with 2 or 3: with 1, 2 and 3 on (7) all are
#   right, and when 4 joins them (F) each of the four goes off.
# Version: meitrack-parser 2.0.0, 29 November 2026.
# Matters because: Whoever opens the doors one by one in a test sees each of them. A vehicle with ignition and doors
#   open at the same time is reported as switched off and closed.
# Source: Meitrack, GPRS protocol: the state of outputs and inputs is hexadecimal, two digits for eight of each.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts meitrack-parser@2.0.0 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { parse } = require('meitrack-parser');
const states = ['1', '3', '7', '8', '9', 'A', 'C', 'F'].map((digit) => {
  const message = `$$A138,123456789012345,AAA,35,52.310000,4.760000,261129120000,A,10,9,57,275,1,14,5783799,7403612,204|1|F6E0|3933,0${digit}00,000B|0009||02D8|0122,*EE\r\n`;
  const { input } = parse(message).status;
  const on = Object.keys(input).filter((number) => input[number]);
  console.log('meitrack-parser reads inputs 0%s as on: %s', digit, on.join(' ') || 'none');
  return on.join('');
});
process.exit(states.join() === '1,12,123,4,14,,,' ? 0 : 1);
EOS
node run.cjs
