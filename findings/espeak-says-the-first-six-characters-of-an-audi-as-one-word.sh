#!/usr/bin/env bash
# Expected: A program that reads aloud spells a VIN, or at least says each of its characters.
# Instead: eSpeak NG says letters as a word where it can: WAUZZZ is one syllable, the same as for WAUZ, in English and in
#   German. SALGA (a Land Rover) is a word, WVWZZZ is spelled, and digits are a number: 123456 is a hundred and
#   twenty-three thousand.
# Version: eSpeak NG 1.51+dfsg-10+deb12u2 of Debian 12, 29 November 2026.
# Matters because: Screen readers and telephone services speak by it. Who listens to the VIN of an Audi cannot count its
#   Zs, nor hear that one is missing. A space behind each character, and a comma now and then, makes it spell.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only -o Dir::Cache::archives="$folder/packages" espeak-ng=1.51+dfsg-10+deb12u2 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
library=$folder/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$library:$library/pulseaudio:$folder/lib/x86_64-linux-gnu ESPEAK_DATA_PATH=$library/espeak-ng-data
say() { usr/bin/espeak-ng -q -x -v "$1" -- "$2" | tr -d '\n' | sed 's/^ *//'; }
usr/bin/espeak-ng --version | sed 's/  *Data at.*//'
for language in en de; do
  for text in WAUZZZ WAUZ SALGA WVWZZZ 123456 'W A U Z Z Z'; do echo "$language, $text: $(say $language "$text")"; done
  [ "$(say $language WAUZZZ)" = "$(say $language WAUZ)" ]
  [ "$(say $language WAUZZZ4M1KD012345)" = "$(say $language WAUZ4M1KD012345)" ]
  [ "$(say $language WVWZZZ)" != "$(say $language WVWZ)" ]
  [ "$(say $language 'W A U Z Z Z')" != "$(say $language 'W A U Z')" ]
done
[ "$(say en SALGA)" = 's'"'"'alg@' ]
