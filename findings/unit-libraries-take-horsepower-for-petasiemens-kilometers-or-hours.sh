#!/usr/bin/env bash
# Expected: A library that converts units converts the power of a car, or says that it does not know the unit.
# Instead: PS, the horsepower of German papers and lists, is the petasiemens to mathjs and js-quantities. ch, that of
#   French ones, is a chain to mathjs, so that a car with 150 ch has 3 km, and a hundredth of an hour to js-quantities,
#   which gives it an hour and a half. Both know hp, and refuse CV and pk.
# Version: mathjs 15.2.0 and js-quantities 1.8.0, 29 November 2026.
# Matters because: An import that only asks whether the library knows the unit accepts the value. It fails, or compares
#   nonsense, where it is converted later. Registration certificates of the European Union give kilowatts (P.2): read
#   those.
# Source: Council Directive 1999/37/EC, annex I, P.2.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts mathjs@15.2.0 js-quantities@1.8.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import Qty from 'js-quantities';
import { unit } from 'mathjs';
const base = (read) => {
  try {
    return read();
  } catch (error) {
    return `refused (${error.message})`;
  }
};
const answers = ['150 PS', '150 ch', '150 hp', '150 CV', '150 pk'].map((power) => {
  const pair = [base(() => unit(power).toSI().toString()), base(() => `${Qty(power).kind()}, ${Qty(power).toBase()}`)];
  console.log('%s is to mathjs %s; to js-quantities %s', power, ...pair);
  return pair.join(';');
});
if (!/^1.5e\+17 .*;conductance/.test(answers[0]) || answers[1] !== '3017.52 m;time, 5400 s' || !answers[2].includes('power') || !answers.slice(3).every((answer) => /^refused.*;refused/.test(answer))) process.exit(1);
EOF
node run.mjs
