#!/usr/bin/env bash
# Expected: Miller converts a column of a CSV file to JSON values of one type, or leaves all VINs strings.
# Instead: VINs of digits become JSON numbers, unless they begin with 0 or hold an E whose exponent is too large. A
#   JavaScript program that reads the file rounds the former.
# Version: miller 6.6.0-2+b3 of Debian 12, 28 November 2026.
# Matters because: One array holds strings and numbers, and 40401198036494205 arrives as 40401198036494210. The flag
#   -S keeps them strings.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download miller=6.6.0-2+b3 > apt.log 2>&1
dpkg-deb -x miller_*.deb .
printf 'vin\n40401198036494205\n00575594709005474\n466109906958E0483\n1HGCM82633A004352\n' > vins.csv
./usr/bin/mlr --icsv --ojson cat vins.csv > vins.json
echo 'Miller writes:'
cat vins.json
node -e '
const rows = JSON.parse(require("node:fs").readFileSync("vins.json", "utf8"));
console.log("read by JSON.parse:", ...rows.map((row) => row.vin));
if (rows.map((row) => typeof row.vin).join() !== "number,string,string,string" || String(rows[0].vin) === "40401198036494205") process.exit(1);
'
