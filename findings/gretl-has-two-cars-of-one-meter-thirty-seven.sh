#!/usr/bin/env bash
# Expected: A set of data of 82 American two-door cars of 1995, with a range given for each measure, has cars as they were built.
# Instead: Two cars, 4.76 m long, are 53.9 inches (1.37 m) wide, which is about their height and 23 cm less than the narrowest of the
#   others. The description takes 53.9 inches for the lower end of the range. For engines it gives 1 to 2.3 liters, where 35 of them
#   are larger, up to 5.7.
# Version: gretl-data 2022c-1 of Debian 12, 30 November 2026; data7-12 of the data for Ramanathan's textbook.
# Matters because: Prices of cars by their measures are a common exercise, and the two cars pull the effect of width towards nothing. A
#   check of the values against the description finds the wrong ones in range and 35 good ones out of it.
# Source: The file itself; its description names Ward's Automotive Yearbook of 1995.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download gretl-data=2022c-1 > apt.log 2>&1
dpkg-deb -x gretl-data_*.deb .
cat > run.py <<'EOF'
import gzip
import re
import xml.etree.ElementTree as tree

with open('usr/share/gretl/data/ramanathan/data7-12.gdt', 'rb') as file:
    data = file.read()
root = tree.fromstring(gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data)
names = [variable.get('name') for variable in root.iter('variable')]
cars = [dict(zip(names, map(float, row.text.split()), strict=True)) for row in root.iter('obs')]
ranges = {name: [float(end) for end in re.search(rf'^\s*{name} .*Range ([\d.]+) - ([\d.]+)', root.find('description').text, re.M).groups()] for name in ('width', 'liters')}
print(f'gretl-data 2022c, data7-12: {len(cars)} cars')
widths = sorted(car['width'] for car in cars)
print(f'width in inches: {widths[:4]} ... {widths[-1]}; by the description {ranges["width"]}')
for car in cars:
    if car['width'] < 60:
        print(f'  {car["width"]} wide, {car["length"]} long, {car["height"]} high, {car["liters"]} liters')
beyond = [car['liters'] for car in cars if not ranges['liters'][0] <= car['liters'] <= ranges['liters'][1]]
print(f'engines: {min(car["liters"] for car in cars)} to {max(car["liters"] for car in cars)} liters, by the description {ranges["liters"]}; {len(beyond)} are beyond')
assert widths[:3] == [53.9, 53.9, 62.8] and ranges == {'width': [53.9, 75.5], 'liters': [1, 2.3]} and len(beyond) == 35 and max(beyond) == 5.7
EOF
python3 run.py
