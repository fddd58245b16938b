#!/usr/bin/env bash
# Expected: A car with three cylinders in a data set of cars has three cylinders.
# Instead: The four with three in the set that most examples of charts use are Mazdas with a rotary engine (RX-2, RX-3,
#   RX-4, RX-7), which has two rotors and no cylinder. One of them is a "maxda".
# Version: vega-datasets 3.2.1, 29 November 2026.
# Matters because: Three cylinders, of 70 or 80 cubic inches, have the consumption of six: charts and fits by cylinders
#   or displacement are bent by them. Leave the value 3 out.
# Source: The data set "cars" of the ASA Data Exposition of 1983; NHTSA's element Engine Configuration has a value of
#   its own, Rotary, for these engines.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts vega-datasets@3.2.1 >> npm.log 2>&1
cat > run.mjs <<'EOS'
import { readFileSync } from 'node:fs';
const cars = JSON.parse(readFileSync('node_modules/vega-datasets/data/cars.json', 'utf8'));
const three = cars.filter(({ Cylinders }) => Cylinders === 3);
const mean = (cylinders) => {
  const values = cars.filter((car) => car.Cylinders === cylinders && car.Miles_per_Gallon).map((car) => car.Miles_per_Gallon);
  return Math.round((10 * values.reduce((sum, each) => sum + each, 0)) / values.length) / 10;
};
console.log('with three cylinders: %s', three.map((car) => `${car.Name}, ${car.Displacement} cubic inches, ${car.Horsepower} hp`).join('; '));
console.log('miles per gallon: 3 cylinders %d, 4 cylinders %d, 6 cylinders %d', mean(3), mean(4), mean(6));
if (three.length !== 4 || !three.every(({ Name }) => /^ma[xz]da rx/.test(Name)) || mean(3) > (mean(4) + mean(6)) / 2) process.exit(1);
EOS
node run.mjs
