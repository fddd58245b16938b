#!/usr/bin/env bash
# Expected: A home of E3/DC has two wallboxes, 0 and 1. The adapter of ioBroker reads both and offers controls for each. Who stops the
#   charge at wallbox 1 by its control stops the car that is plugged in there.
# Instead: The command goes to wallbox 0. The adapter writes this number into each command, whichever wallbox the control belongs to,
#   and confirms it at wallbox 1. The limit of the current, the switch between one and three phases and the mode of the sun fare alike.
# Version: iobroker.e3dc-rscp 1.4.5, 1 December 2026; the adapter's own code for wallboxes, with a stand-in for the rest.
# Matters because: The wrong car stands empty in the morning, and the one that should stop charges on. A rule that limits the current
#   of both wallboxes limits one twice and the other never, up to the fuse of the house.
# Source: The adapter's setting maxindex_wb, the highest index of a wallbox, up to which it asks each by TAG_WB_INDEX. Owners report
#   it in its issues 214 of April 2024 and 340 of July 2026; in one home there is no wallbox 0, so that no command arrives.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack --silent iobroker.e3dc-rscp@1.4.5 > npm.log 2>&1
tar -xzf iobroker.e3dc-rscp-1.4.5.tgz
cat > run.cjs <<'EOS'
const Wallboxes = require('./package/wallbox.js');
const values = { SunMode: 2, PowerLimitation: 8, TogglePhases: 1, ToggleChargingType2: 1 };
const states = new Set();
let frame = [];
const frames = [];
const adapter = {
  language: 'en',
  config: { query_wb: true },
  maxIndex: { WB: 1 },
  log: { debug() {}, silly() {}, error: console.error },
  clearFrame: () => (frame = []),
  startContainer: () => 0,
  endContainer() {},
  addTagtoFrame: (tag, _interval, value) => frame.push([tag, value]),
  pushFrame: () => frames.push(frame),
  setObjectNotExists: (id) => states.add(id),
  extendObject() {},
  setState: (id, value, ack) => ack && confirmed.push(id),
  getState: (id, callback) => callback(null, { val: values[id.split('.').at(-1)] }),
};
let confirmed = [];
const dictionary = new Proxy({}, { get: () => ({ en: '' }) });
const wallboxes = new Wallboxes({}, adapter, dictionary);
const numbers = (tag) => frames.flat().filter(([name]) => name === tag).map(([, value]) => value);
console.log('iobroker.e3dc-rscp', require('./package/package.json').version);
wallboxes.queueWbRequestData('');
const asked = numbers('TAG_WB_INDEX').join(' and ');
for (const index of [0, 1]) wallboxes.storeWbExternData('WB.EXTERN_DATA_ALG', [], `WB_${index}.`);
console.log(`asks wallboxes ${asked}; controls: ${[...states].filter((id) => id.endsWith('Control.ToggleChargingType2')).join(', ')}`);
const reached = [];
for (const index of [0, 1]) {
  for (const name of Object.keys(values)) {
    frames.length = 0;
    confirmed = [];
    const id = `WB.WB_${index}.Control.${name}`;
    wallboxes.queueWbSetData(`e3dc-rscp.0.${id}`);
    const [command] = frames.filter((tags) => tags.some(([tag]) => tag === 'TAG_WB_EXTERN_DATA'));
    const sent = Object.fromEntries(command);
    reached.push(sent.TAG_WB_INDEX);
    console.log(`${id} = ${values[name]}: ${sent.TAG_WB_EXTERN_DATA.trim()} to wallbox ${sent.TAG_WB_INDEX}, confirmed at ${confirmed[0].replace('e3dc-rscp.0.', '')}`);
  }
}
process.exit(asked === '0 and 1' && states.has('WB.WB_1.Control.ToggleChargingType2') && reached.join('') === '00000000' ? 0 : 1);
EOS
node run.cjs
