#!/usr/bin/env bash
# Expected: The best-known data set of cars, 406 models of 1970 to 1982 with their consumption, has some 30 for each
#   year.
# Instead: As vega-datasets ships it, no car is of 1981 and 61 are of 1982. In the set of the American Statistical
#   Association that it comes from, half of them are of 81: the Toyota Corolla of 81, of 2,350 pounds, is there as a
#   second one of 1982.
# Version: vega-datasets 3.2.1, 29 November 2026.
# Matters because: 1981 is the first model year of VINs with seventeen characters. Charts and models of consumption by
#   model year, for which this set is the usual example, have a gap there and then a year of double weight.
# Source: The data set "cars" of the ASA Data Exposition of 1983, where the model year is 70 to 82.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts vega-datasets@3.2.1 >> npm.log 2>&1
cat > run.mjs <<'EOS'
import { readFileSync } from 'node:fs';
const cars = JSON.parse(readFileSync('node_modules/vega-datasets/data/cars.json', 'utf8'));
const years = {};
for (const car of cars) (years[car.Year.slice(0, 4)] ??= []).push(car);
console.log('cars.json by year: %s', Object.entries(years).map(([year, { length }]) => `${year}: ${length}`).join(', '));
const corollas = years[1982].filter(({ Name }) => Name === 'toyota corolla');
console.log('of 1982: %s', corollas.map((car) => `${car.Name}, ${car.Weight_in_lbs} lb, ${car.Miles_per_Gallon} mpg`).join('; '));
const others = Object.entries(years).filter(([year]) => year !== '1982').map(([, { length }]) => length);
if (cars.length !== 406 || years[1981] || years[1982].length !== 61 || Math.max(...others) > 40 || corollas.length !== 2) process.exit(1);
EOS
node run.mjs
