#!/usr/bin/env bash
# Expected: A router for trucks reads the clearance of a bridge, 13'6" on the map, as 4.11 m.
# Instead: Routino counts ten inches to a foot: 3.4 m. A truck of 3.9 m is led around the bridge, under which it fits.
#   14'0" are 3.5 m, and a limit of 40'0" for the length of a truck is 10.1 m. The same height in meters is right.
# Version: routino 3.3.3-2 of Debian 12, 29 November 2026.
# Matters because: Clearances in the United States and Britain are in feet and inches. Height, length and weight are what
#   a router needs of a vehicle, and it answers each route without a word.
# Source: OpenStreetMap's wiki, Key:maxheight and Map features/Units, for the form 13'6".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" routino=3.3.3-2 routino-common=3.3.3-2 libroutino0=3.3.3-2 > apt.log 2>&1
for package in packages/{routino,routino-common,libroutino0}_*.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$folder/usr/lib
export LD_LIBRARY_PATH
cat > run.py <<'PY'
import re
import subprocess
from xml.sax.saxutils import quoteattr
def build(key, limit):
    """Makes Routino's database of a road with a limit and a longer one without, and gives what it has for the limit."""
    points = [(1, 50, 8), (2, 50, 8.02), (3, 50.01, 8.01), (4, 50, 7.99), (5, 50, 8.03)]
    roads = [((1, 2), {key: limit, 'name': 'Bridge'}), ((1, 3, 2), {'name': 'Detour'}), ((4, 1), {'name': 'West'}), ((2, 5), {'name': 'East'})]
    with open('map.osm', 'w') as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<osm version="0.6">\n')
        for number, latitude, longitude in points:
            file.write(f'<node id="{number}" version="1" lat="{latitude}" lon="{longitude}"/>\n')
        for number, (nodes, tags) in enumerate(roads, 1):
            file.write(f'<way id="{number}" version="1">' + ''.join(f'<nd ref="{node}"/>' for node in nodes))
            file.write(''.join(f'<tag k={quoteattr(k)} v={quoteattr(v)}/>' for k, v in {**tags, 'highway': 'primary'}.items()) + '</way>\n')
        file.write('</osm>\n')
    call('planetsplitter', '--dir=.', '--tagging=usr/share/routino/tagging.xml', '--errorlog', 'map.osm')
    found = re.search(f"k='{key}' v='([0-9.]+)'", call('filedumper', '--dir=.', '--dump-osm', '--no-super'))
    return found and float(found[1])
def route(*limits):
    """Gives the road that Routino chooses from west to east for a truck."""
    call('routino-router', '--dir=.', '--profiles=usr/share/routino/profiles.xml', '--translations=usr/share/routino/translations.xml',
         '--profile=hgv', '--transport=hgv', '--shortest', *limits, '--lat1=50', '--lon1=7.99', '--lat2=50', '--lon2=8.03', '--output-text-all')
    with open('shortest-all.txt') as file:
        return 'Detour' if 'Detour' in file.read() else 'Bridge'
def call(program, *words):
    """Runs a program of Routino and gives its output."""
    return subprocess.run([f'usr/bin/{program}', *words], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
print('routino 3.3.3')
shown = {}
for key, limit, truck in (('maxheight', '4.11', '--height=3.9'), ('maxheight', '3.4', '--height=3.9'), ('maxheight', '13\'6"', '--height=3.9'),
                          ('maxheight', '14\'0"', '--height=3.9'), ('maxlength', '40\'0"', '--length=11')):
    shown[limit] = build(key, limit), route(truck)
    print(f'{key}={limit}: {shown[limit][0]} m, a truck with {truck[2:]} goes by', shown[limit][1])
assert shown['4.11'] == (4.1, 'Bridge') and shown['3.4'] == (3.4, 'Detour'), shown
assert shown['13\'6"'] == (3.4, 'Detour') and shown['14\'0"'] == (3.5, 'Detour') and shown['40\'0"'] == (10.1, 'Detour'), shown
PY
python3 run.py
