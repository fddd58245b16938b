#!/usr/bin/env bash
# Expected: A home asks Renault for a car that stands in the garage with 49,114 km and its climate off, and shows both.
# Instead: ioBroker's adapter shows the climate as on, always, and no odometer. Where a car tells the power of the charge, the energy
#   in the battery and its temperature, it shows none of them. Renault's answers have the values two levels deeper than it looks for
#   them; for the level of the battery it looks in both places, so that this is right and nothing seems amiss.
# Version: iobroker.zoe2 0.2.10, 30 November 2026; the adapter's own code, with stand-ins for ioBroker and for Renault.
# Matters because: Rules that switch the climate off, or do not start it twice, act on a climate that is never off. A log of trips or
#   a lease by kilometers has no distance.
# Source: Answers of the Zoe, the Spring and the Renault 5 recorded by the library renault-api: data.attributes.totalMileage,
#   data.attributes.hvacStatus and so on. Its issue 1213 and the adapter's own issue 55 show such answers since April 2024.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack --silent iobroker.zoe2@0.2.10 > npm.log 2>&1
tar -xzf iobroker.zoe2-0.2.10.tgz
cat > run.cjs <<'EOF'
const Module = require('node:module');
const vin = 'VF1AAAAA000000017';
const car = (attributes) => ({ data: { type: 'Car', id: vin, attributes } });
const charge = { chargingStatus: 1, chargingInstantaneousPower: 7.2, chargingRemainingTime: 30 };
const answers = {
  'accounts.login': { sessionInfo: { cookieValue: 'cookie' } },
  'accounts.getJWT': { id_token: 'token' },
  'accounts.getAccountInfo': { data: { personId: 'person' } },
  '/persons/': { accounts: [{ accountId: 'account' }] },
  '/battery-status': car({ ...charge, plugStatus: 1, batteryLevel: 73, batteryAutonomy: 261, batteryTemperature: 12, batteryAvailableEnergy: 31 }),
  '/cockpit': car({ totalMileage: 49_114.27 }),
  '/hvac-status': car({ externalTemperature: 8, hvacStatus: 'off' }),
};
async function request({ url }) {
  const [, data] = Object.entries(answers).find(([part]) => url.includes(part)) ?? [];
  return { status: 200, data: data ?? { servers: { gigyaProd: { target: 'gigya' }, wiredProd: { target: 'wired' } } } };
}
const shown = new Map();
class Adapter {
  config = { locale: 'de_DE', vin, useHVACApi: true };
  log = { debug() {}, info() {}, error: console.error };
  constructor({ ready }) {
    setImmediate(ready);
  }
  subscribeStates() {}
  setObjectNotExists() {}
  setState = (id, { val }) => shown.set(id.split('.').at(-1), val);
  getState = (_id, callback) => callback(null, null);
  terminate() {
    console.log('iobroker.zoe2', require('./package/package.json').version);
    console.log('Renault says: 49114.27 km, climate off, 8 degrees outside; battery at 73 %, charging with 7.2 kW, 31 kWh, 12 degrees');
    const names = ['charge_level', 'charging', 'chargingPower', 'batteryAvailableEnergy', 'batteryTemperature', 'totalMileage', 'externalTemperature', 'hvacOn'];
    for (const name of names) console.log(`${name}: ${shown.has(name) ? shown.get(name) : 'never set'}`);
    const lost = names.filter((name) => shown.get(name) === undefined || shown.get(name) === null);
    const known = shown.get('charge_level') === 73 && shown.get('charging') === true;
    process.exit(known && lost.length === 5 && shown.get('hvacOn') === true ? 0 : 1);
  }
}
// Ended otherwise, it would say nothing.
process.exitCode = 1;
const standIns = { '@iobroker/adapter-core': { Adapter }, axios: { create: () => request } };
const load = Module._load;
Module._load = (name, ...rest) => standIns[name] ?? load(name, ...rest);
require('./package/main.js')();
EOF
node run.cjs
