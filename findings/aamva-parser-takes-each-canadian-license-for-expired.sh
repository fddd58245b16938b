#!/usr/bin/env bash
# Expected: A parser of the bar code on driver's licenses of the United States and Canada says until when each is valid.
# Instead: American licenses have the month first (01292031), Canadian ones the year (20310129). aamva-parser reads every
#   date with the month first, whatever country the code names: a license of Ontario that is valid until 29 January 2031
#   expired on 31 August 130. No Canadian license is valid, none is of a young driver, and no error is raised. The country
#   itself, and a height in centimeters, are read rightly.
# Version: aamva-parser 1.7.0, 30 November 2026.
# Matters because: The parser is made for places that lend, sell or insure cars. They send each Canadian away, and a check
#   for drivers under 21 lets one of 17 years pass, who is 1900 years old.
# Source: AAMVA, DL/ID Card Design Standard, annex D: DBA, DBB and DBD are MMDDCCYY for the U.S. and CCYYMMDD for Canada;
#   the package's own description, "US and Canadian driver's licenses".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts aamva-parser@1.7.0 >> npm.log 2>&1
cat > run.cjs <<'EOF'
const { parse, isExpired, isUnder21 } = require('aamva-parser');
const card = (country, [born, issued, expires]) =>
  ['@', '\u001e\rANSI 636012100001DL00310200DLDAQ0000000000', 'DCSSAMPLE', 'DDEN', 'DACSAMPLE', 'DDFN', 'DADSAMPLE', 'DDGN', 'DCAG', 'DCBNONE', 'DCDNONE',
    `DBD${issued}`, `DBB${born}`, `DBA${expires}`, 'DBC1', 'DAU180 cm', 'DAYBRO', 'DAG1 SAMPLE', 'DAISAMPLE', 'DAJON', 'DAK000000', 'DCF0', `DCG${country}`].join('\n') + '\r';
const year = new Date().getFullYear();
const young = [`${year - 17}-01-29`, `${year}-01-29`, `${year + 4}-01-29`];
console.log('aamva-parser 1.7.0');
const shown = ['USA', 'CAN'].map((country) => {
  const dates = young.map((date) => { const [y, m, d] = date.split('-'); return country === 'USA' ? m + d + y : y + m + d; });
  const text = card(country, dates);
  const license = parse(text);
  const expires = license.expirationDate.toISOString().slice(0, 10);
  console.log('%s, born %s, valid until %s (in the code %s): height %d in, until %s, expired %s, under 21 %s', license.country, young[0], young[2], dates[2], license.height, expires, isExpired(text), isUnder21(text));
  return [expires, isExpired(text), isUnder21(text)].join();
});
process.exit(shown[0] === `${young[2]},false,true` && /^01[0-9]{2}-08-[0-9]{2},true,false$/.test(shown[1]) ? 0 : 1);
EOF
TZ=UTC node run.cjs
