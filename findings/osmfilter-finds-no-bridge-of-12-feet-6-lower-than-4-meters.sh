#!/usr/bin/env bash
# Expected: OpenStreetMap's filter, asked for what is lower than 4 m (maxheight<4), finds a bridge of 12 feet 6, which is 3.81 m, and
#   leaves out one without a limit.
# Instead: It reads the number that a value begins with, whatever stands behind it: 12'6" is twelve, and left out. What begins with
#   no number is zero, so that bridges without a limit (none) are the lowest ones, and a motorway without a limit is among the roads
#   for at most 50. 60 mph (97 km/h) are among the roads for at most 80.
# Version: osmfilter of osmctools 0.9-4 of Debian 12, 30 November 2026.
# Matters because: Maps for trucks, and lists of low bridges, are made this way. In Britain and the United States each low bridge
#   whose sign is in feet is missing, without a message.
# Source: OpenStreetMap wiki, Key:maxheight (meters, or feet and inches as 12'6") and Key:maxspeed (none; mph behind a space). The
#   program's --help says of comparisons that they are by number against a value that starts with a digit.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download osmctools=0.9-4 > apt.log 2>&1
dpkg-deb -x osmctools_*.deb .
cat > run.py <<'EOF'
import html
import re
import subprocess

places = {'maxheight': ['3.8', '3.8 m', '12\'6"', '4.5', 'none', 'default'], 'maxspeed': ['30', '60 mph', '100', 'none']}
tags = [(key, value) for key, values in places.items() for value in values]
with open('map.osm', 'w', encoding='ascii') as file:
    file.write('<?xml version="1.0" encoding="UTF-8"?>\n<osm version="0.6">\n')
    for number, (key, value) in enumerate(tags, 1):
        file.write(f'<node id="{number}" version="1" lat="52" lon="0"><tag k="{key}" v="{html.escape(value)}"/></node>\n')
    file.write('</osm>\n')


def find(rule):
    text = subprocess.run(['usr/bin/osmfilter', 'map.osm', f'--keep={rule}'], check=True, capture_output=True, text=True).stdout
    found = [tags[int(number) - 1][1] for number in re.findall(r'<node id="(\d+)"', text)]
    print(f'{rule} finds: {", ".join(found)}')
    return found


print('osmfilter of osmctools 0.9-4')
assert find('maxheight<4') == ['3.8', '3.8 m', 'none', 'default']
assert find('maxheight>=4') == ['12\'6"', '4.5']
assert find('maxspeed<=50') == ['30', 'none']
assert find('maxspeed<=80') == ['30', '60 mph', 'none']
EOF
python3 run.py
