#!/usr/bin/env bash
# Expected: A recording of a car's bus that log2asc of can-utils writes in Vector's format ASC has its own day and time
#   when asc2log of can-utils reads it again.
# Instead: log2asc writes the date in English with 24 hours. asc2log takes a date without am or pm for German and gives it
#   up unless the computer has the locale de_DE; de_DE.UTF-8, the usual one in Germany, is not enough. The messages then
#   have the present time, with a note on the standard error output and the exit status 0. A date with pm needs en_US.
# Version: can-utils 2020.11.0-1 of Debian 12, 29 November 2026; its source of May 2026 does the same.
# Matters because: The log of a journey, with the VIN of the car in it, seems to be of the day of its conversion. On the
#   computer of a colleague, or before an image of a server was made smaller, the same command gave the right day.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" can-utils=2020.11.0-1 locales > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
mkdir none utf8 german
export PATH=$folder/usr/bin:$PATH I18NPATH=$folder/usr/share/i18n TZ=UTC
localedef -i de_DE -f UTF-8 utf8/de_DE.UTF-8 > localedef.log 2>&1
localedef -i de_DE -f ISO-8859-1 german/de_DE >> localedef.log 2>&1
cat > car.log <<'EOF'
(1705327200.000000) can0 7E8#1014490201575657
(1705327200.010000) can0 7E8#215A5A5A314B5A39
(1705327200.020000) can0 7E8#2257303030303030
EOF
log2asc -I car.log -O car.asc can0
echo "can-utils 2020.11.0-1, a recording of 15 January 2024: $(head -1 car.asc)"
for locale in none utf8 german; do
  status=0
  LOCPATH=$folder/$locale asc2log -I car.asc -O $locale.log 2> $locale.note || status=$?
  time=$(sed -n '1s/^(\([0-9]*\)\..*/\1/p' $locale.log)
  day=$(date -u -d "@$time" +%F)
  name=$(ls $locale)
  echo "locale ${name:-none}: $day, status $status, messages $(grep -c '7E8#' $locale.log), note: $(tr '\n' ' ' < $locale.note)"
  [ $status = 0 ] && [ "$(grep -c '7E8#' $locale.log)" = 3 ]
  if [ $locale = german ]; then [ "$day" = 2024-01-15 ]; else [ $(($(date +%s) - time)) -lt 60 ]; fi
done
