#!/usr/bin/env bash
# Expected: The seat heater with Tesla's number 5 is that at the right in the rear, and number 4 the one in the middle.
# Instead: The adapter of ioBroker signs a command for the right seat as number 4, for the middle as 3, and for the backrest at the left
#   as 5. Sent to older cars, whose commands need no signature, the numbers go out as they are, in Tesla's sense.
# Version: iobroker.tesla-motors 3.2.2, 1 December 2026; the adapter's own code up to the signature, with stand-ins for ioBroker and
#   the libraries of cryptography.
# Matters because: A rule that warms the child seat at the right warms the left side or nothing, and one that switches it off leaves it
#   on. The same rule acts on another seat when the car is replaced. The adapter's controls bear the numbers only.
# Source: Tesla's vehicle-command, seatPositions: 0 and 1 front left and right, 2 second row left, 3 its backrest, 4 center, 5 right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack --silent iobroker.tesla-motors@3.2.2 > npm.log 2>&1
tar -xzf iobroker.tesla-motors-3.2.2.tgz
cat > run.cjs <<'EOS'
const Module = require('node:module');
class Adapter {
  log = { debug() {}, info() {}, warn: console.error, error: console.error };
  on() {}
}
const standIns = { '@iobroker/adapter-core': { Adapter }, axios: { default: { create: () => null } }, protobufjs: {}, elliptic: { ec: class {} }, qs: {}, mqtt: {}, 'json-bigint': () => JSON };
const load = Module._load;
Module._load = (name, ...rest) => standIns[name] ?? load(name, ...rest);
const create = require('./package/main.js');
const { TeslaCommandSigner } = require('./package/lib/teslaSign.js');
const { buildFleetVehicleCommandPayload } = require('./package/lib/vehicleCommand.js');
const adapter = create({});
const signer = Object.create(TeslaCommandSigner.prototype);
signer._executeCarServerAction = async (action) => action;
const seats = ['front left', 'front right', 'rear left', 'rear left backrest', 'rear center', 'rear right'];
(async () => {
  console.log('iobroker.tesla-motors', require('./package/package.json').version);
  const shown = [];
  for (const [number, seat] of seats.entries()) {
    const { hvacSeatHeaterActions } = await adapter.executeSignedCommand(signer, 'remote_seat_heater_request', String(number), 3);
    const { heater } = await buildFleetVehicleCommandPayload('remote_seat_heater_request', String(number), 3);
    const [field] = Object.keys(hvacSeatHeaterActions.hvacSeatHeaterAction[0]).filter((key) => key.startsWith('CAR_SEAT_'));
    const name = field.replace('CAR_SEAT_', '');
    shown.push(name);
    console.log(`remote_seat_heater_request-${number}, ${seat} for Tesla: signed for ${name}, an older car gets ${heater}`);
  }
  process.exit(shown.join(' ') === 'FRONT_LEFT FRONT_RIGHT REAR_LEFT REAR_CENTER REAR_RIGHT REAR_LEFT_BACK' ? 0 : 1);
})();
EOS
node run.cjs
