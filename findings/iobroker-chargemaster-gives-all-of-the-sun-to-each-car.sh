#!/usr/bin/env bash
# Expected: A manager of several chargers lets cars have together what the sun yields beyond the needs of the house.
# Instead: ioBroker's chargemaster reckons the current of each charger from the whole surplus and takes nothing off for the
#   others. With 2200 W to spare (and the 100 W that it adds) one car charges with 2300 W, two with 4600 W, three with
#   6900 W. What is missing comes from the battery of the house and from the grid. Only the greatest total current, which
#   is there for the fuse, limits the sum.
# Version: iobroker.chargemaster 0.16.1, 30 November 2026; the adapter's own code, with a stand-in for ioBroker.
# Matters because: A household or firm with two electric cars buys every second kilowatt-hour that it believes to be of the
#   sun. The adapter reads the power of all chargers, writes it into its log and does not use it; the consumption that it is
#   told must leave it out, as its description says.
# Source: The adapter's description: several wallboxes at the same time, controlled "based on the available PV surplus
#   energy of your home"; of its limitations it names the three phases. The author's other adapter, go-e-charger 1.7.0,
#   takes off what the chargers before have claimed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iobroker.chargemaster@0.16.1 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { EventEmitter } = require('node:events');
const Module = require('node:module');
const foreign = new Map([['sun', 2800], ['house', 600], ['battery', 80]]);
const settings = { 'Settings.Setpoint_HomeBatSoC': 80 };
class Adapter extends EventEmitter {
  namespace = 'chargemaster.0';
  log = { debug() {}, info() {}, warn: console.warn, error: console.error };
  subscribeStates() {}
  async subscribeForeignStatesAsync() {}
  async setState() {}
  async getStateAsync(id) { return { val: settings[id] ?? (id.endsWith('ChargeManager') ? true : id.endsWith('ChargeNOW') ? false : 6) }; }
  async setObjectNotExistsAsync() {}
  async getObjectAsync() { return {}; }
  async getForeignObjectAsync() { return {}; }
  async getForeignStateAsync(id) { return { val: foreign.get(id) ?? 0 }; }
  async setForeignStateAsync(id, val) { foreign.set(id, val); }
  async delay() {
    this.cycles = (this.cycles ?? 0) + 1;
    if (this.cycles > 40) this.stopStateMachine = true;
    for (const [i, box] of this.config.wallBoxList.entries()) {
      const current = foreign.get(box.stateChargeAllowed) ? foreign.get(box.stateChargeCurrent) : 0;
      this.onStateChange(box.stateActiveChargeAmp, { val: current, ack: true });
      this.onStateChange(box.stateActiveChargePower, { val: current * 230, ack: true });
    }
  }
}
const load = Module._load;
Module._load = (name, ...rest) => (name === '@iobroker/adapter-core' ? { Adapter } : load(name, ...rest));
const chargemaster = require('iobroker.chargemaster');
(async () => {
  console.log('iobroker.chargemaster', require('iobroker.chargemaster/package.json').version);
  const totals = [];
  for (const cars of [1, 2, 3]) {
    const adapter = chargemaster({});
    const wallBoxList = Array.from({ length: cars }, (_, i) => ({ stateChargeCurrent: `set${i}`, stateChargeAllowed: `on${i}`, stateActiveChargePower: `power${i}`, stateActiveChargeAmp: `current${i}`, minAmp: 6, maxAmp: 16 }));
    adapter.config = { cycleTime: 10_000, maxAmpTotal: 32, stateHomeSolarPower: 'sun', stateHomePowerConsumption: 'house', stateHomeBatSoc: 'battery', wallBoxList };
    await adapter.onReady();
    totals.push(adapter.wallboxInfoList.reduce((sum, box) => sum + box.ChargePower, 0));
    console.log(`sun ${foreign.get('sun')} W, house ${foreign.get('house')} W, cars: ${cars}, each ${wallBoxList.map((box) => foreign.get(box.stateChargeCurrent)).join(' A, ')} A, together ${totals.at(-1)} W`);
  }
  process.exit(totals.join() === '2300,4600,6900' ? 0 : 1);
})();
EOF
node run.cjs
