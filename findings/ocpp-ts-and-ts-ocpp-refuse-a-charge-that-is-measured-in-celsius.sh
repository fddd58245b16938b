#!/usr/bin/env bash
# Expected: Libraries of OCPP 1.6 take a meter reading that has the temperature of the charging station beside the energy, in
#   one of the units of the standard: Celsius, Fahrenheit or K.
# Instead: The schemas in ocpp-ts and @voltbras/ts-ocpp have the unit "Celcius". They refuse the whole message, the energy with
#   it, if the unit is spelled as in the text of the standard, and take the misspelled one. ocpp-rpc takes both.
# Version: ocpp-ts 0.3.0, @voltbras/ts-ocpp 2.7.3 and ocpp-rpc 2.2.1, 30 November 2026.
# Matters because: Meter readings are what a charge is billed by, and what shows a car or cable that gets hot. It depends on the
#   maker of the station whether they arrive, and a station without a thermometer, or a simulator, shows nothing of it.
# Source: Open Charge Alliance, OCPP 1.6, UnitOfMeasure: Celsius. Its first JSON schemas had it misspelled; its errata for OCPP-J
#   1.6 (2019 and April 2025) say that a central system is to take both spellings.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts ocpp-ts@0.3.0 @voltbras/ts-ocpp@2.7.3 ocpp-rpc@2.2.1 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { EventEmitter } = require('node:events');
const { Protocol } = require('ocpp-ts/dist/src/impl/Protocol.js');
const { validateMessageRequest } = require('@voltbras/ts-ocpp/dist/messages/validation.js');
const standard = require('ocpp-rpc/lib/standard-validators.js').find(({ subprotocol }) => subprotocol === 'ocpp1.6');
const version = (name) => require(`${name}/package.json`).version;
const reading = (unit) => {
  const sampledValue = [{ value: '1250', measurand: 'Energy.Active.Import.Register', unit: 'Wh' }];
  if (unit) sampledValue.push({ value: '41.5', measurand: 'Temperature', location: 'Cable', unit });
  return { connectorId: 1, transactionId: 7, meterValue: [{ timestamp: '2026-11-30T02:00:00Z', sampledValue }] };
};
const libraries = {
  'ocpp-ts': (body) =>
    new Promise((resolve) => {
      const [center, socket] = [new EventEmitter(), new EventEmitter()];
      socket.send = (text) => resolve(JSON.parse(text)[0] === 3);
      center.on('MeterValues', (_, accept) => accept({}));
      new Protocol(center, socket).onMessage(JSON.stringify([2, '1', 'MeterValues', body]));
    }),
  '@voltbras/ts-ocpp': (body) => validateMessageRequest('MeterValues', body, ['MeterValues']).isRight(),
  'ocpp-rpc': (body) => {
    try {
      standard.validate('urn:MeterValues.req', body);
      return true;
    } catch {
      return false;
    }
  },
};
(async () => {
  const seen = [];
  for (const [name, accepts] of Object.entries(libraries)) {
    const answers = [];
    for (const unit of [undefined, 'Fahrenheit', 'K', 'Celsius', 'Celcius']) answers.push([unit ?? 'no temperature', await accepts(reading(unit))]);
    console.log('%s %s: %s', name, version(name), answers.map(([unit, taken]) => `${unit} ${taken ? 'taken' : 'refused'}`).join(', '));
    seen.push(answers.map(([, taken]) => Number(taken)).join(''));
  }
  process.exit(seen.join() === '11101,11101,11111' ? 0 : 1);
})();
EOF
node run.cjs
