#!/usr/bin/env bash
# Expected: In a column of VINs that are text, COUNTIF of a VIN counts the cells with this VIN: more than one is a
#   duplicate.
# Instead: COUNTIF of HyperFormula compares as numbers what looks like numbers, also where the cells are text. As
#   numbers, VINs of digits are the same if they differ only in the last places, and those of 1E9 and digits are all
#   infinite: of three different trailers each is there three times. The comparison A1=A2 says FALSE, and COUNTUNIQUE
#   says 3.
# Version: hyperformula 3.5.0 with its default settings, 29 November 2026.
# Matters because: COUNTIF over a column is the usual test for duplicates in lists of a fleet or an auction. VINs of
#   cars pass it, and formatting the cells as text beforehand does not help. ARRAYFORMULA(SUM(IF(range=vin,1,0)))
#   counts right.
# Source: NHTSA's list of WMIs has some of digits alone, and many that begin with 1E9, for builders of trailers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts hyperformula@3.5.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { HyperFormula } from 'hyperformula';
const lists = [['17812345678901234', '17812345678901235', '17812345678901236'], ['1E902482211234501', '1E902482711234502', '1E902482211234503'], ['1HGCM82633A004352', '1HGCM82653A004353', '1HGCM82673A004354']];
const answers = lists.map((vins) => {
  const engine = HyperFormula.buildFromSheets({ list: vins.map((vin) => [`'${vin}`]), ask: [['=COUNTIF(list!A1:A3,list!A1)', '=ARRAYFORMULA(SUM(IF(list!A1:A3=list!A1,1,0)))', '=list!A1=list!A2', '=COUNTUNIQUE(list!A1:A3)']] }, { licenseKey: 'gpl-v3' });
  const [counted, exact, equal, different] = engine.getSheetValues(engine.getSheetId('ask'))[0];
  const kept = engine.getSheetValues(engine.getSheetId('list')).flat();
  console.log('%s as text: COUNTIF finds the first %d times, a sum over comparisons %s; the first two are equal: %s; different: %d', kept.join(', '), counted, exact, equal, different);
  return [kept.join() === vins.join(), counted, exact, equal, different].join();
});
if (answers.join(';') !== 'true,3,1,false,3;true,3,1,false,3;true,1,1,false,3') process.exit(1);
EOF
node run.mjs
