#!/usr/bin/env bash
# Expected: A search index of makes and models finds what was asked for: a Lexus IS, and a Mercedes GL apart from a GLS.
# Instead: lunr reads them as English. IS and AM are words that it leaves out, so that "IS" finds nothing, and the S of
#   GLS, CLS and SLS is the plural: "GL" and "GLS" find the same two models with the same score.
# Version: lunr 2.3.9 with the settings it has by itself, 29 November 2026.
# Matters because: Whoever searches a stock list for a GL gets GLS, a newer and larger car, and an AM General is found
#   by half of its name. Take stemmer and stopWordFilter out of the pipelines for names of models.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts lunr@2.3.9 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import lunr from 'lunr';
const cars = ['Mercedes-Benz GL', 'Mercedes-Benz GLS', 'Mercedes-Benz CL', 'Mercedes-Benz CLS', 'Lexus IS', 'Lexus RX', 'AM General Hummer'];
const indexWith = (plain) =>
  lunr(function () {
    this.ref('car');
    this.field('car');
    if (plain) for (const pipeline of [this.pipeline, this.searchPipeline]) pipeline.remove(lunr.stemmer);
    if (plain) this.pipeline.remove(lunr.stopWordFilter);
    for (const car of cars) this.add({ car });
  });
const [usual, plain] = [indexWith(false), indexWith(true)];
const ask = (index, words) => index.search(words).map(({ ref, score }) => `${ref} (${score.toFixed(2)})`).sort().join(', ') || 'nothing';
console.log('lunr answers, and without stemmer and stop words:');
for (const words of ['GL', 'GLS', 'IS', 'AM']) console.log(`${words}: ${ask(usual, words)} | ${ask(plain, words)}`);
const refs = (index, words) => index.search(words).map(({ ref }) => ref).sort().join();
if (ask(usual, 'GL') !== ask(usual, 'GLS') || refs(usual, 'GL') !== 'Mercedes-Benz GL,Mercedes-Benz GLS' || refs(usual, 'IS') + refs(usual, 'AM') !== '') process.exit(1);
if (refs(plain, 'GL') !== 'Mercedes-Benz GL' || refs(plain, 'IS') !== 'Lexus IS') process.exit(1);
EOF
node run.mjs
