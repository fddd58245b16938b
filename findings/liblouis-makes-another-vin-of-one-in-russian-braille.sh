#!/usr/bin/env bash
# Expected: A VIN that liblouis writes in braille is read back by liblouis as the same VIN, in capitals or not.
# Instead: With the Russian table, which says of itself that it serves both directions, the sign in front of a letter does not
#   end a number on the way back, and A to J are the cells of 1 to 0: 1HGCM82633A004352 becomes 1873M826331004352. The braille
#   itself is right. With the tables for Norwegian, Slovak and Zulu, of both directions too, the VIN comes back.
# Version: liblouis 3.24.0-1 of Debian 12, 30 November 2026.
# Matters because: Screen readers turn what a blind person types on a braille keyboard into text in this way. The result has
#   seventeen characters that a VIN may have, and only a check digit, where there is one, tells that it is another vehicle.
# Source: The braille that liblouis itself writes: a sign stands between each number and the letter behind it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" liblouis-bin=3.24.0-1 liblouis20=3.24.0-1 liblouis-data=3.24.0-1 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu LOUIS_TABLEPATH=$folder/usr/share/liblouis/tables
usr/bin/lou_translate --version | sed -n 1p
vin=1HGCM82633A004352
for table in ru-litbrl.ctb no-no-g0.utb sk-g1.ctb zu-za-g1.utb; do
  grep -qE '^#[-+]direction: *both' "$LOUIS_TABLEPATH/$table"
  braille=$(usr/bin/lou_translate -f "unicode.dis,$table" <<< "$vin")
  text=$(usr/bin/lou_translate -b "unicode.dis,$table" <<< "$braille")
  echo "$table: $braille is read as $text"
  case $table in
    ru-*) [ "$text" = 1873M826331004352 ] ;;
    *) [ "$text" = "$vin" ] ;;
  esac
done
