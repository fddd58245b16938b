#!/usr/bin/env bash
# Expected: A home tells its Tesla to have charged by a quarter past six, on cheap power, and not to warm itself: the proposal that the
#   adapter of ioBroker writes for scheduled departures has "preconditioning_enabled": false.
# Instead: The adapter signs a command to precondition the car on each day of the week. It does not read that field, nor
#   "off_peak_charging_enabled": who switches off the charging at cheap hours gets it as well, on each day. Sent to older cars, whose
#   commands need no signature, the same text arrives as it is.
# Version: iobroker.tesla-motors 3.2.2, 1 December 2026; the adapter's own code up to the signature, with stand-ins for ioBroker and
#   the libraries of cryptography.
# Matters because: Battery and cabin are heated daily, for some kilowatt hours in winter, weekends and holidays included, and each try
#   to switch it off by this command switches it on.
# Source: Tesla's vehicle-command, set_scheduled_departure: preconditioning_enabled and off_peak_charging_enabled choose the policy;
#   with the policy off, the times of preconditioning or of charging are left out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack --silent iobroker.tesla-motors@3.2.2 > npm.log 2>&1
tar -xzf iobroker.tesla-motors-3.2.2.tgz
cat > run.cjs <<'EOS'
const Module = require('node:module');
const { readFileSync } = require('node:fs');
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
const days = (times) => (times ? Object.keys(times).join() : 'never');
async function depart(name, text) {
  const { scheduledDepartureAction: sent } = await adapter.executeSignedCommand(signer, 'set_scheduled_departure', undefined, text);
  const older = await buildFleetVehicleCommandPayload('set_scheduled_departure', undefined, text);
  const shown = `preconditioning ${days(sent.preconditioningTimes)}, cheap charging ${days(sent.offPeakChargingTimes)}`;
  console.log(`${name}: ${shown}; an older car gets preconditioning_enabled ${older.preconditioning_enabled}, off_peak_charging_enabled ${older.off_peak_charging_enabled}`);
  return shown;
}
(async () => {
  console.log('iobroker.tesla-motors', require('./package/package.json').version);
  const [proposal] = readFileSync('package/main.js', 'utf8').match(/\{\s*"departure_time"[^}]*\}/);
  console.log('the proposal of the adapter:', JSON.stringify(JSON.parse(proposal)));
  const shown = [
    await depart('as proposed', proposal),
    await depart('neither warmth nor cheap charging', JSON.stringify({ ...JSON.parse(proposal), off_peak_charging_enabled: false, off_peak_charging_weekdays_only: false })),
  ];
  process.exit(shown.join('; ') === 'preconditioning allWeek, cheap charging weekdays; preconditioning allWeek, cheap charging allWeek' ? 0 : 1);
})();
EOS
node run.cjs
