#!/usr/bin/env bash
# Expected: An exact lookup of a type-approval number in a spreadsheet finds that number or nothing.
# Instead: The numbers hold asterisks (e1*2007/46*0307*24), which VLOOKUP and COUNTIF of HyperFormula take for "any
#   text", even if VLOOKUP is told FALSE: for a number of Germany (e1) that is not in the list it answers one of the
#   United Kingdom (e11), and COUNTIF counts two. MATCH and XLOOKUP find nothing.
# Version: hyperformula 3.5.0 with its default settings, 29 November 2026.
# Matters because: Lists of CO2 values, certificates of conformity and registration papers name the type approval, and
#   workbooks join them by it. The answer is another car, without a word. A tilde in front of each asterisk, or the
#   option useWildcards: false, compares the text.
# Source: Directive 2007/46/EC, annex VII, for the form of the number and the numbers of the countries.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts hyperformula@3.5.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { HyperFormula } from 'hyperformula';
const list = ['e13*2007/46*1307*24', 'e1*2007/46*0307*124', 'e11*2007/46*0307*24', 'e4*2007/46*0307*24'];
const asked = 'e1*2007/46*0307*24';
const ask = (text, options) => {
  const engine = HyperFormula.buildFromSheets(
    { list: list.map((number) => [number]), ask: [[`=COUNTIF(list!A1:A4,"${text}")`, `=VLOOKUP("${text}",list!A1:A4,1,FALSE())`, `=MATCH("${text}",list!A1:A4,0)`, `=XLOOKUP("${text}",list!A1:A4,list!A1:A4,"nothing")`]] },
    { licenseKey: 'gpl-v3', ...options },
  );
  const answers = engine.getSheetValues(engine.getSheetId('ask'))[0].map((answer) => answer.value ?? answer);
  console.log('%s: COUNTIF %s, VLOOKUP %s, MATCH %s, XLOOKUP %s', text, ...answers);
  return answers.join();
};
console.log('list: %s', list.join(', '));
const usual = ask(asked);
const escaped = ask(asked.replaceAll('*', '~*'));
const plain = ask(asked, { useWildcards: false });
if (usual !== '2,e11*2007/46*0307*24,#N/A,nothing' || !escaped.startsWith('0,#N/A') || !plain.startsWith('0,#N/A')) process.exit(1);
EOF
node run.mjs
