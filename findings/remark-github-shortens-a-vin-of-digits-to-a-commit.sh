#!/usr/bin/env bash
# Expected: A VIN in a Markdown text is shown as it was written.
# Instead: remark-github takes seventeen digits for the name of a commit: it links them and shows the first seven, which
#   are the same for all trailers of a series. VINs with letters behind F stay.
# Version: remark-github 12.0.0 with remark 15.0.1, 29 November 2026.
# Matters because: In a list of recalled trailers, or a note on data, the VINs of a maker whose WMI is digits become one
#   and the same. Write them as code (between grave accents).
# Source: NHTSA's list of makers has WMIs of digits alone for trailers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts remark@15.0.1 remark-github@12.0.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { remark } from 'remark';
import github from 'remark-github';
const list = '40401198036494205, 40401198036494206, 1HGCM82633A004352, `40401198036494207`\n';
const answer = String(await remark().use(github, { repository: 'example/fleet' }).process(list)).trim();
const shown = answer.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
console.log('remark-github makes of %s', list.trim());
console.log(answer);
console.log('shown: %s', shown);
if (shown !== '4040119, 4040119, 1HGCM82633A004352, 40401198036494207') process.exit(1);
EOF
node run.mjs
