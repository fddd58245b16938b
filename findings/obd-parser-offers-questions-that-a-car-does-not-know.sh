#!/usr/bin/env bash
# Expected: A library for OBD-II adapters tells which questions (PIDs) a car answers, as the car says.
# Instead: obd-parser asks for the second list (PIDs 21 to 40), takes the number of the question for the first byte of the list and
#   counts from 01. A car that knows 21, 23, 2E, 30, 31, 33, 34, 3C and 40 is said to know 03, 09, 0B, 16, 18, 19, 1B, 1C,
#   24 and 28. 03 comes from the number of the question and is said of each car.
# Version: obd-parser 0.3.0, 30 November 2026, with an adapter that is simulated.
# Matters because: Who asks what the list offers asks a car for what it may not have, such as 24, and never for its fuel level
#   (2F). Speed and engine speed are right, and the list has the form of one that is.
# Source: SAE J1979, service 01, PID 20: four bytes behind the number, the highest bit of the first for PID 21.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts obd-parser@0.3.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { EventEmitter } = require('node:events');
const { ECUPoller, init, PIDS } = require('obd-parser');
const car = new Map([['010D', '410D40']]);
const adapter = Object.assign(new EventEmitter(), {
  write(line) {
    const answer = car.get(line.slice(0, 4)) ?? 'OK';
    setTimeout(() => adapter.emit('data', `${answer}\r\r>`), 10);
  },
});
const list = (...known) => {
  const bytes = Buffer.alloc(4);
  for (const pid of known) bytes[(pid - 0x21) >> 3] |= 0x80 >> ((pid - 0x21) & 7);
  return `4120${bytes.toString('hex').toUpperCase()}`;
};
const ask = async (pid) => (await new ECUPoller({ pid, interval: 100 }).poll()).value;
(async () => {
  await init((configure) => configure(adapter));
  const speed = await ask(new PIDS.VehicleSpeed());
  const read = [];
  for (const known of [[0x21, 0x23, 0x2e, 0x30, 0x31, 0x33, 0x34, 0x3c, 0x40], [0x2f]]) {
    car.set('0120', list(...known));
    read.push(await ask(new PIDS.SupportedPids()));
    console.log(`a car that knows ${known.map((pid) => pid.toString(16)).join()} sends ${car.get('0120')}; read: ${read.at(-1)}`);
  }
  console.log(`obd-parser ${require('obd-parser/package.json').version}; a speed of 64 km/h is read as ${speed}`);
  process.exit(speed === 64 && read.join(' ') === '03,09,0b,16,18,19,1b,1c,24,28 03,17' ? 0 : 1);
})();
EOF
node run.cjs
