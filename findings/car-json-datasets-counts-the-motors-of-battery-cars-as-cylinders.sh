#!/usr/bin/env bash
# Expected: A list of cars gives those with a battery no cylinders, or none at all in that field.
# Instead: car-json-datasets gives 551 of 616 rows whose engine is an electric motor 0 cylinders and 64 of them one to
#   four: a Skoda Elroq one, a Mercedes-Benz EQA two, a Hummer EV three and a Yangwang U7 four, as many as motors.
# Version: car-json-datasets 0.3.2, 29 November 2026.
# Matters because: "No cylinders" is how programs find battery cars where a fuel is not named, as here. One in ten is a
#   car of one or two cylinders to them, and joined by make, model and year it contradicts what a VIN says.
# Source: The labels in the same rows, such as "Electric Motor 150 kW" and "Dual Electric Motors 300 kW".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts car-json-datasets@0.3.2 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { readdirSync, readFileSync } = require('node:fs');
const folder = 'node_modules/car-json-datasets/data';
const engines = readdirSync(folder).flatMap((name) => {
  const { make, models } = JSON.parse(readFileSync(`${folder}/${name}/${name}.json`));
  return models.flatMap(({ name: model, series }) => series.flatMap(({ bodyTypes }) => bodyTypes.flatMap(({ engines: list }) => list.map(({ engineCylinderLabel: label, engineCylinderCount: cylinders }) => ({ car: `${make} ${model}`, label, cylinders })))));
});
const motors = engines.filter(({ label }) => /^(Dual |Tri |Triple |Quad )?Electric Motors? [\d.]+ kW$/.test(label));
const odd = motors.filter(({ cylinders }) => cylinders > 0);
const count = (number) => motors.filter(({ cylinders }) => cylinders === number).length;
console.log('car-json-datasets 0.3.2: %d rows whose engine is electric motors; cylinders: none in %d, one in %d, two in %d, three in %d, four in %d', motors.length, count(0), count(1), count(2), count(3), count(4));
const shown = ['Skoda Elroq', 'Mercedes-Benz EQA', 'GMC Hummer EV', 'BYD Yangwang U7'].map((car) => {
  const { label, cylinders } = odd.findLast((row) => row.car === car);
  console.log('%s, %s: %d', car, label, cylinders);
  return cylinders;
});
if (shown.join() !== '1,2,3,4' || motors.length !== 616 || odd.length !== 64 || count(0) !== 551) process.exit(1);
EOF
node run.cjs
