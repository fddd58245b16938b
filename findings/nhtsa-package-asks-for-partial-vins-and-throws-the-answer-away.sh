#!/usr/bin/env bash
# Expected: The package that asks NHTSA's vPIC about VINs takes a partial VIN with asterisks, as its README says, and returns NHTSA's
#   answer.
# Instead: It refuses each partial VIN as "Invalid VIN". It asks NHTSA all the same, and throws the answer away.
# Version: nhtsa 1.2.7, 30 November 2026; with a stand-in for axios, so that nothing was sent.
# Matters because: vPIC answers for 5UXWX7C5*BA, the example on its own page. A program that trusts the error reports a good partial VIN
#   as wrong, although NHTSA has just described the car.
# Source: The package's README on decodeVin: a VIN may have fewer than 17 characters, an asterisk stands for each that is unknown, and the
#   ninth may be left out. The page of vPIC's API, where 5UXWX7C5*BA is the example.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm pack --silent nhtsa@1.2.7 > npm.log 2>&1
tar -xzf nhtsa-1.2.7.tgz
cat > run.cjs <<'EOF'
const Module = require('node:module');
const asked = [];
async function get(url) {
  asked.push(new URL(url).pathname.split('/').at(-1));
  return { data: { Results: [] } };
}
const load = Module._load;
Module._load = (name, ...rest) => (name === 'axios' ? { get } : load(name, ...rest));
const nhtsa = require('./package/nhtsa.js');
async function decode(vin) {
  const answer = await nhtsa.decodeVin(vin).then(
    () => 'answered',
    (error) => error.message,
  );
  console.log(`${vin}: ${answer}; ${asked.at(-1) === vin ? 'NHTSA was asked' : 'NHTSA was not asked'}`);
  return answer === 'Invalid VIN' && asked.at(-1) === vin;
}
(async () => {
  console.log('nhtsa', require('./package/package.json').version);
  const refused = [];
  for (const vin of ['5UXWX7C5*BA', '1FTFW1ET*EF']) refused.push(await decode(vin));
  const known = await decode('5UXWX7C52BA000017');
  process.exit(refused.every(Boolean) && !known ? 0 : 1);
})();
EOF
node run.cjs
