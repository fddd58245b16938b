#!/usr/bin/env bash
# Expected: A navigation program whose profile for trucks has the height, width, length, weight and load per axle of a truck
#   gets the limits for them from the map.
# Instead: Navit compares them with limits of a road, but maptool, its own converter for maps of OpenStreetMap, writes none: a
#   bridge with maxheight 3.5 and one with maxweight 7.5 are like any other road. Speed limits, in miles as well, tolls, and
#   roads closed to trucks altogether are kept.
# Version: maptool and navit 0.5.6+dfsg.1-2 of Debian 12, 30 November 2026.
# Matters because: Who enters the weight and height that belong to a VIN has every reason to think that they count. The route
#   comes without a word, and the only sign of it is the bridge.
# Source: The comments in navit.xml; OpenStreetMap's wiki for maxheight, maxweight, maxwidth, maxlength and maxaxleload.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download maptool=0.5.6+dfsg.1-2 navit=0.5.6+dfsg.1-2 libprotobuf-c1 > apt.log 2>&1
for package in *.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > run.py <<'EOF'
import re
import subprocess
tags = ['maxheight=3.5', 'maxweight=7.5', 'maxwidth=2.2', 'maxlength=12', 'maxaxleload=8', 'maxspeed=30 mph', 'hgv=no', 'toll=yes', 'surface=asphalt']
lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<osm version="0.6">']
lines += [f'<node id="{number}" version="1" lat="{52 + number / 100}" lon="13.4"/>' for number in range(1, len(tags) + 2)]
for number, tag in enumerate(tags, 1):
    key, value = tag.split('=')
    lines += [f'<way id="{100 + number}" version="1">', f'<nd ref="{number}"/>', f'<nd ref="{number + 1}"/>']
    lines += ['<tag k="highway" v="residential"/>', f'<tag k="{key}" v="{value}"/>', '</way>']
text = '\n'.join([*lines, '</osm>', ''])
dump = subprocess.run(['usr/bin/maptool', '-D'], input=text, check=True, capture_output=True, text=True).stdout
with open('etc/navit/navit.xml', encoding='utf-8') as file:
    truck = re.search(r'<vehicleprofile name="Truck"[^>]*>', file.read())[0]
limits = re.findall(r'vehicle_\w+="\d+"', truck)
print('Truck in navit.xml of 0.5.6:', ', '.join(limits))
kept = {}
for number, tag in enumerate(tags, 1):
    road = re.search(rf'osm_wayid="{100 + number}"(.*?) debug=', dump)[1] if f'osm_wayid="{100 + number}" debug' not in dump else ''
    kept[tag] = road.strip()
    print(f'a road with {tag}:', kept[tag] or 'nothing')
assert len(limits) == 5 and all(kept[tag] == '' for tag in tags[:5]) and kept['surface=asphalt'] == ''
assert 'maxspeed="48"' in kept['maxspeed=30 mph'] and 'AF_TOLL' in kept['toll=yes']
assert 'AF_CAR' in kept['hgv=no'] and 'AF_TRANSPORT_TRUCK' not in kept['hgv=no']
EOF
python3 run.py
