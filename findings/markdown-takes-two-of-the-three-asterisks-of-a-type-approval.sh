#!/usr/bin/env bash
# Expected: A type-approval number such as e1*2001/116*0307*24 is shown as it was written.
# Instead: In Markdown the first two asterisks mark emphasis, even inside a word: marked writes "e1", then "2001/116"
#   in italics, then "0307*24". It does the same in a table, and two numbers on one line lose all six.
# Version: marked 18.2.1, 29 November 2026; CommonMark 0.31 asks for it.
# Matters because: Whoever copies the number from a chat, a ticket or a page made from Markdown gets e12001/1160307*24,
#   which no register finds: country, directive and number have run together. Code spans or backslashes keep it.
# Source: CommonMark 0.31, section 6.2; Directive 2007/46/EC, annex VII, for the form of the number.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts marked@18.2.1 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { marked } from 'marked';
const shown = (text) => {
  const html = marked.parse(text).trim();
  console.log('marked makes of %s: %s, to be read as %s', text.replaceAll('\n', '/'), html.replaceAll('\n', ''), html.replaceAll(/<[^>]*>|\n/g, ''));
  return html.replaceAll(/<[^>]*>|\n/g, '');
};
const number = 'e1*2001/116*0307*24';
const answers = [number, `${number} and e11*2007/46*1234*03`, `|K|\n|-|\n|${number}|`, `\`${number}\``, number.replaceAll('*', '\\*')].map(shown);
if (answers.join() !== `e12001/1160307*24,e12001/116030724 and e112007/46123403,Ke12001/1160307*24,${number},${number}`) process.exit(1);
EOF
node run.mjs
