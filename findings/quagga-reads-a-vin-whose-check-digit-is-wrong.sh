#!/usr/bin/env bash
# Expected: A bar-code reader made for VINs (code_39_vin_reader) uses the check digit at position 9 to refuse a
#   misread, as it is there for.
# Instead: It removes I, O and Q wherever they are and takes any seventeen letters and digits: a VIN with a wrong
#   check digit is a success.
# Version: @ericblade/quagga2 1.12.1, symbols by bwip-js 4.11.4, 28 November 2026.
# Matters because: Code 39 has no check character of its own unless the maker adds one: the VIN has to be checked by
#   whoever receives it, where the market uses check digits.
# Source: The data sheet of the reader names neither the check digit nor the removal of O.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @ericblade/quagga2@1.12.1 bwip-js@4.11.4 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { createRequire } from 'node:module';
import bwip from 'bwip-js';
const module = createRequire(import.meta.url)('@ericblade/quagga2');
const Quagga = module.default ?? module;
const read = async (text) => {
  const symbol = await bwip.toBuffer({ bcid: 'code39', text, scale: 2, height: 25, paddingwidth: 20, paddingheight: 10, backgroundcolor: 'FFFFFF' });
  const options = { src: `data:image/png;base64,${symbol.toString('base64')}`, numOfWorkers: 0, inputStream: { size: 1200 }, locate: true, locator: { patchSize: 'medium', halfSample: false }, decoder: { readers: ['code_39_vin_reader'] } };
  return new Promise((resolve) => Quagga.decodeSingle(options, (result) => resolve(result?.codeResult?.code ?? 'nothing')));
};
const results = [await read('1HGCM82633A004352'), await read('1HGCM82643A004352'), await read('O1HGCM82633A004352')];
console.log('quagga2 reads a right VIN, one with a wrong check digit, and one with the letter O in front as');
console.log(results.join('\n'));
if (results.join() !== '1HGCM82633A004352,1HGCM82643A004352,1HGCM82633A004352') process.exit(1);
EOF
node run.mjs
