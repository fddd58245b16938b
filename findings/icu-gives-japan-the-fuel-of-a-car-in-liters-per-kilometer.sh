#!/usr/bin/env bash
# Expected: A library that writes a car's consumption in the unit of the reader's country writes kilometers per liter
#   for Japan, Korea and Brazil, as the catalogs and labels of all cars have it there.
# Instead: ICU, told the usage vehicle-fuel, writes liters per kilometer, which is on no label: 5.6 L/100 km, 17.9 km/L,
#   become 0.056 L/km, and the larger number is now the thirstier car. The same for Italy, Mexico, Thailand, Turkey,
#   Malaysia and the Netherlands. Germany, the United States and Britain are right.
# Version: ICU 72.1 of Debian 12 (python3-icu 2.10.2-1+b3); CLDR 48.2.0 still has it, 29 November 2026.
# Matters because: This usage is there for cars alone, and is how a page about a vehicle lets the library choose the unit.
#   Write the consumption with a unit of your own for these countries.
# Source: The fuel label of Japan (WLTC, km/L), of Brazil (Inmetro's PBE, km/l) and of Korea (km/L).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" python3-icu=2.10.2-1+b3 libicu72=72.1-3+deb12u1 > apt.log 2>&1
for package in packages/{python3-icu,libicu72}_*.deb; do dpkg-deb -x "$package" .; done
npm init -y > npm.log
npm install --no-audit --no-fund --ignore-scripts cldr-core@48.2.0 >> npm.log 2>&1
cat > run.py <<'PY'
import json
import icu
print('ICU', icu.ICU_VERSION)
shown = {}
for country in ('de-DE', 'en-US', 'en-GB', 'ja-JP', 'ko-KR', 'pt-BR', 'it-IT', 'es-MX'):
    writer = icu.NumberFormatter.withLocale(icu.Locale.forLanguageTag(country)).unit(icu.MeasureUnit.createLiterPer100Kilometers())
    shown[country] = writer.usage('vehicle-fuel').formatDouble(5.6).replace('\xa0', ' ')
    print('5.6 L/100 km for', country, '=', shown[country])
with open('node_modules/cldr-core/supplemental/unitPreferenceData.json') as file:
    units = json.load(file)['supplemental']['unitPreferenceData']['consumption']['vehicle-fuel']
countries = sorted(country for country, unit in units.items() if unit[0]['unit'] == 'liter-per-kilometer')
print('CLDR 48.2.0 has liter-per-kilometer for', *countries)
assert icu.ICU_VERSION == '72.1' and shown['de-DE'] == '5,6 L/100 km' and shown['en-US'] == '42 mpg' and shown['en-GB'] == '50 mpg'
assert shown['ja-JP'] == '0.056 L/km' and shown['ko-KR'] == '0.056L/km' and shown['pt-BR'] == '0,056 l/km' and shown['es-MX'] == '0.056 l/km'
assert {'JP', 'KR', 'BR', 'IT', 'MX', 'TH', 'TR', 'MY', 'NL'} == set(countries)
PY
LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu PYTHONPATH=$folder/usr/lib/python3/dist-packages /usr/bin/python3 run.py
