#!/usr/bin/env bash
# Expected: The same complaint about two models gets the same score.
# Instead: sentiment scores the words of the names, too: "The Skoda Superb broke down again" is praise (+4), of an
#   Octavia it is a complaint (-1). A Triumph is good by its name, a Ford Escape, a Rolls-Royce Ghost and a Dodge
#   Avenger are bad by theirs.
# Version: sentiment 5.0.2 (AFINN-165), 29 November 2026.
# Matters because: Dealers and makers rank models by what reviews say. An average of many short texts shows the name of
#   the model more than the opinions. Take names out before texts are scored.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts sentiment@5.0.2 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const Sentiment = require('sentiment');
const cars = ['Skoda Superb', 'Skoda Octavia', 'Triumph Stag', 'Suzuki Swift', 'Ford Escape', 'Ford Mondeo', 'Rolls-Royce Ghost', 'Dodge Avenger'];
const scores = cars.map((car) => new Sentiment().analyze(`The ${car} broke down again`).score);
console.log('sentiment scores "The %s broke down again" by the name of the car:', '...');
cars.forEach((car, index) => console.log('%s: %d', car, scores[index]));
if (scores.join() !== '4,-1,3,1,-2,-1,-2,-3') process.exit(1);
EOF
node run.cjs
