#!/usr/bin/env bash
# Expected: Values drawn for a schema match its pattern, however it leaves out I, O and Q.
# Instead: json-schema-faker draws as if a lookahead were not there: of VINs for "letters and digits, but none of I, O
#   and Q" three in four hold one. Written as a set of characters without the three, all match.
# Version: json-schema-faker 0.6.3, 29 November 2026.
# Matters because: Samples and mocks made from a schema with such a pattern are refused by the service that publishes
#   it. In a schema, write [A-HJ-NPR-Z0-9]{17}.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts json-schema-faker@0.6.3 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { generate } from 'json-schema-faker';
const share = async (pattern) => {
  let wrong = 0;
  for (let seed = 1; seed <= 400; seed++) if (!new RegExp(pattern).test(await generate({ type: 'string', pattern }, { seed }))) wrong += 1;
  return wrong;
};
const counts = [];
for (const pattern of ['^(?!.*[IOQ])[A-Z0-9]{17}$', '^(?:(?![IOQ])[A-Z0-9]){17}$', '^[A-HJ-NPR-Z0-9]{17}$']) {
  counts.push(await share(pattern));
  console.log('of 400 VINs that json-schema-faker draws for %s, %d do not match it', pattern, counts.at(-1));
}
if (counts[0] < 250 || counts[1] < 250 || counts[2] !== 0) process.exit(1);
EOF
node run.mjs
