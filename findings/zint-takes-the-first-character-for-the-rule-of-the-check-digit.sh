#!/usr/bin/env bash
# Expected: zint, which has a symbology of its own for VINs, verifies the check digit of vehicles built for the United
#   States and China, where the law asks for one, or verifies none.
# Instead: It verifies that of every VIN that begins with 1 to 5 and of no other. It refuses the VIN of a Nissan Tiida
#   built in Mexico for Europe, where position 9 is the maker's to use, and draws the label of a Tesla of Texas (7SA)
#   or of a BYD (LGX) with a digit mistyped.
# Version: zint 2.11.1-1 of Debian 12, 28 November 2026.
# Matters because: Who prints labels for a yard cannot print one for some cars, and trusts a check that is not made for
#   vehicles of the United States with the newer first digit 7. Position 1 does not say for which market a car is.
# Source: 49 CFR 565.15 (c) asks for the check digit of vehicles sold in the United States; ISO 3779 does not ask for it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only -o Dir::Cache::archives="$folder/packages" zint=2.11.1-1 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib:$folder/usr/lib/x86_64-linux-gnu
usr/bin/zint --version | head -n 1
answers=''
label() {
  local answer=drawn
  usr/bin/zint --barcode=VIN --output="$2.png" --data="$2" 2> "$2.log" || answer="refused: $(cat "$2.log")"
  echo "$1, $2: $answer"
  answers+="${answer%%:*} "
}
label 'Tesla of California, check digit right' 5YJYGDEE5NF123456
label 'Tesla of California, check digit wrong' 5YJYGDEE1NF123456
label 'Tesla of Texas, check digit right' 7SAYGDEE5NA123456
label 'Tesla of Texas, check digit wrong' 7SAYGDEE1NA123456
label 'BYD of China, check digit wrong' LGXC74C41S0123456
label 'Nissan of Mexico for Europe, no check digit' 3N1BCAC11UK123456
[ "$answers" = 'drawn refused drawn drawn drawn refused ' ]
