#!/usr/bin/env bash
# Expected: Who has told home automation that a car may charge from the grid below 15 cents lifts that with 0, as the name
#   of the value says (smartCostLimit 0 = delete), and can set a price below zero, as there are on sunny days.
# Instead: evcc, the controller that is told, lifts a limit by DELETE and takes any number by POST. For 0, and for a negative
#   price, ioBroker's adapter sends POST without a number, which evcc has no use for: the 15 cents stay.
# Version: iobroker.evcc 0.2.8, 30 November 2026; the adapter's own code, with a stand-in for ioBroker and for evcc.
# Matters because: The car that should have the sun only goes on to charge from the grid in each cheap hour. That the
#   request was refused is a line in the log of the adapter.
# Source: evcc's description of its interface (openapi.yaml): DELETE for .../smartcostlimit, POST with the cost behind it;
#   evcc's list of routes, which has a sign in the cost.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts iobroker.evcc@0.2.8 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { EventEmitter, once } = require('node:events');
const { createServer } = require('node:http');
const Module = require('node:module');
class Adapter extends EventEmitter {
  log = { silly() {}, debug() {}, info() {}, warn: console.warn, error() {} };
}
const load = Module._load;
Module._load = (name, ...rest) => (name === '@iobroker/adapter-core' ? { Adapter } : load(name, ...rest));
const adapter = require('iobroker.evcc')({});
const { SendEvcc } = require(require.resolve('iobroker.evcc/package.json').replace('package.json', 'build/lib/sendEvcc.js'));
let limit = null;
const server = createServer((request, response) => {
  const [, cost] = /^\/api\/loadpoints\/1\/smartcostlimit(?:\/(-?[0-9.]+))?$/.exec(request.url);
  if (request.method === 'DELETE' && cost === undefined) limit = null;
  else if (request.method === 'POST' && cost !== undefined) limit = Number(cost);
  else response.statusCode = 405;
  response.end('{}', () => server.emit('told', `${request.method} ${request.url}`));
});
(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  adapter.ip = `127.0.0.1:${server.address().port}`;
  adapter.evcc = new SendEvcc(adapter.ip, adapter.timeout, adapter.log);
  console.log('iobroker.evcc', require('iobroker.evcc/package.json').version);
  const limits = [];
  for (const val of [0.15, 0, -0.02]) {
    adapter.onStateChange('evcc.0.loadpoint.1.control.smartCostLimit', { val, ack: false });
    const [told] = await once(server, 'told');
    limits.push(limit);
    console.log(`limit ${val}: ${told}; evcc charges from the grid up to ${limit}`);
  }
  process.exit(limits.join() === '0.15,0.15,0.15' ? 0 : 1);
})();
EOF
node run.cjs
