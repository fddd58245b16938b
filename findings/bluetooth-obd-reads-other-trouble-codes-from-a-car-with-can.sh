#!/usr/bin/env bash
# Expected: A library for OBD-II adapters gives the trouble codes that a car has stored.
# Instead: Over CAN the number of codes comes first (43 02 0301 0420), over older lines it does not (43 0301 0420
#   0000). bluetooth-obd always reads the older form: the number becomes the first half of a code, and each code is cut
#   in the middle. Misfire in cylinder 1 and the catalyst (P0301, P0420) are P0203, P0104 and "P20undefined": an
#   injector and the air flow. A car without any code has "P00undefined".
# Version: bluetooth-obd 0.2.5 and serial-obd 0.2.2, with an adapter that is simulated, 29 November 2026.
# Matters because: All cars sold in the United States since 2008 use CAN. The codes look like any others, and somebody
#   buys parts for them. Take the pairs behind the first byte where the adapter names a protocol with CAN (ATDPN 6 to
#   9).
# Source: SAE J1979, service 03 (the count of codes is sent with ISO 15765-4 only); SAE J2012 for the codes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts bluetooth-obd@0.2.5 serial-obd@0.2.2 >> npm.log 2>&1
cat > run.cjs <<'EOS'
const { EventEmitter } = require('node:events');
const { createRequire } = require('node:module');
class Adapter extends EventEmitter {
  connect(address, channel, connected) {
    setImmediate(connected);
  }
  write() {}
  close() {}
}
const simulate = (library, port, exports) => {
  const path = createRequire(require.resolve(library)).resolve(port);
  require.cache[path] = { id: path, filename: path, loaded: true, exports };
  return require(library);
};
let adapter;
class Port extends Adapter {
  constructor() {
    super();
    adapter = this;
    setImmediate(() => this.emit('open'));
  }
}
const Bluetooth = simulate('bluetooth-obd', 'bluetooth-serial-port', { BluetoothSerialPort: Port });
const Serial = simulate('serial-obd', 'serialport', Port);
const ask = (reader, line) =>
  new Promise((resolve) => {
    reader.on('connected', () => {
      reader.once('dataReceived', (reply) => resolve(reply.value.errors.join(' ')));
      setImmediate(() => adapter.emit('data', Buffer.from(`${line}\r\r>`)));
    });
    reader.connect('00:00:00:00:00:00', 1);
  });
const main = async () => {
  const answers = [];
  for (const [name, make] of [
    ['bluetooth-obd', () => new Bluetooth()],
    ['serial-obd', () => new Serial('port', {})],
  ])
    for (const line of ['43030104200000', '430203010420', '4300']) {
      answers.push(await ask(make(), line));
      console.log('%s reads %s as %s', name, line, answers.at(-1));
    }
  const expected = ['P0301 P0420 -', 'P0203 P0104 P20undefined', 'P00undefined P0NaNundefined P0NaNundefined'];
  process.exit(answers.join() === [...expected, ...expected].join() ? 0 : 1);
};
main();
EOS
node run.cjs 2> node.log
