#!/usr/bin/env bash
# Expected: A library that makes links of the addresses in a text leaves names of cars as text.
# Instead: Buzz and life are endings of domains: "Volkswagen ID.Buzz" becomes a link to http://ID.Buzz, and the ID.Life
#   one to http://ID.Life. ID.3 and ID.4 stay text.
# Version: linkifyjs 4.4.0 with its default settings, 29 November 2026.
# Matters because: In ads, reviews and chats of dealers the name of the car leads to a site that has nothing to do with
#   the seller. Whoever owns the domain gets the clicks. Let validate.url accept only what begins with http or www.
# Source: IANA, list of top-level domains: BUZZ and LIFE.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts linkifyjs@4.4.0 >> npm.log 2>&1
cat > run.mjs <<'EOF'
import { find } from 'linkifyjs';
const careful = { validate: { url: (value) => /^(?:https?:|www\.)/.test(value) } };
const links = ['Volkswagen ID.Buzz Pro', 'Volkswagen ID.Life', 'Volkswagen ID.4'].map((name) => {
  const text = `We sell a ${name}.`;
  const found = find(text).map(({ href }) => href).join();
  console.log('linkifyjs makes of "%s" %s', text, found ? `a link to ${found}` : 'no link');
  return found + find(text, careful).filter(({ isLink }) => isLink).map(({ href }) => href).join();
});
if (links.join() !== 'http://ID.Buzz,http://ID.Life,') process.exit(1);
EOF
node run.mjs
