#!/usr/bin/env bash
# Expected: A library for OBD-II adapters gives the mass air flow in grams per second, as its table of units says.
# Instead: serial-obd divides only the lower of the two bytes by 100: 50 g/s (13 88) are 4865.36, 2.55 g/s (00 FF) are right,
#   and 2.56 g/s (01 00) are 256. Speed, engine speed and temperatures are right.
# Version: serial-obd 0.2.2, 30 November 2026, with an adapter that is simulated.
# Matters because: Fuel consumption is computed from the mass air flow where a car gives no fuel rate, and becomes nearly a hundred
#   times as much. The range that the library names for the value (up to 655.35) is not checked.
# Source: SAE J1979, service 01, PID 10: (256 A + B) / 100.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts serial-obd@0.2.2 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { EventEmitter, once } = require('node:events');
const { createRequire } = require('node:module');
let adapter;
class Port extends EventEmitter {
  constructor() {
    super();
    adapter = this;
    setImmediate(() => this.emit('open'));
  }
  write() {}
}
const path = createRequire(require.resolve('serial-obd')).resolve('serialport');
require.cache[path] = { id: path, filename: path, loaded: true, exports: Port };
const Reader = require('serial-obd');
(async () => {
  const reader = new Reader('port', {});
  reader.connect();
  await once(reader, 'connected');
  const read = [];
  for (const [sent, line] of [['64 km/h', '410D40'], ['2.55 g/s', '411000FF'], ['2.56 g/s', '41100100'], ['50 g/s', '41101388']]) {
    const reply = once(reader, 'dataReceived');
    adapter.emit('data', Buffer.from(`${line}\r\r>`));
    read.push((await reply)[0].value);
    console.log(`${sent} (${line}) read as ${read.at(-1)}`);
  }
  console.log('serial-obd', require('serial-obd/package.json').version);
  process.exit(read.join() === '64,2.55,256,4865.36' ? 0 : 1);
})();
EOF
node run.cjs
