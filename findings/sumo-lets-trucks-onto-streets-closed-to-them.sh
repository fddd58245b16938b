#!/usr/bin/env bash
# Expected: The converter of a traffic simulator that has classes for trucks, cars and motorcycles, and reads which streets are
#   closed to buses and to pedestrians, reads which are closed to trucks, motorcycles and all motor vehicles.
# Instead: netconvert of SUMO heeds bus, psv and foot, and bicycle if it is told to. Streets with hgv=no, motorcycle=no,
#   motor_vehicle=no and even access=no are open to trucks, cars, motorcycles and bicycles, and it does not say so.
# Version: sumo 1.15.0+dfsg-1+deb12u1 of Debian 12, 30 November 2026.
# Matters because: Where trucks may drive is what such models are asked about, with a fleet whose classes come from a register
#   or from VINs. Noise and exhaust gases appear in streets that no truck enters, and the detour is missing.
# Source: OpenStreetMap's wiki, Key:access, for the tags; SUMO's list of vehicle classes, for truck, motorcycle and the rest;
#   eclipse-sumo/sumo issue 14650 (access, taken over in 2024) and 15307 (motor_vehicle, open).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" sumo=1.15.0+dfsg-1+deb12u1 > apt.log 2>&1
apt-get download sumo-tools=1.15.0+dfsg-1+deb12u1 >> apt.log 2>&1
for package in packages/*.deb sumo-tools_*.deb; do dpkg-deb -x "$package" .; done
libraries=$folder/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$libraries:$folder/usr/lib:$folder/lib/x86_64-linux-gnu:$libraries/blas:$libraries/lapack
export SUMO_HOME=$folder/usr/share/sumo PROJ_LIB=$folder/usr/share/proj
cat > run.py <<'EOF'
import re
import subprocess
tags = ['surface=asphalt', 'bus=no', 'foot=no', 'psv=no', 'hgv=no', 'goods=no', 'motorcycle=no', 'bicycle=no', 'motor_vehicle=no', 'vehicle=no', 'access=no']
lines = ['<osm version="0.6">']
lines += [f'<node id="{number}" version="1" lat="{52 + number / 100}" lon="13.4"/>' for number in range(1, len(tags) + 2)]
for number, tag in enumerate(tags, 1):
    key, value = tag.split('=')
    lines += [f'<way id="{100 + number}" version="1"><nd ref="{number}"/><nd ref="{number + 1}"/>']
    lines += ['<tag k="highway" v="residential"/>', f'<tag k="{key}" v="{value}"/></way>']
with open('map.osm', 'w', encoding='ascii') as file:
    file.write('\n'.join([*lines, '</osm>']))
shown = subprocess.run(['usr/bin/netconvert', '--osm-files', 'map.osm', '--osm.bike-access', '--osm.lane-access', '-o', 'net.xml'], check=True, capture_output=True, text=True)
with open('net.xml', encoding='utf-8') as file:
    net = file.read()
print(subprocess.run(['usr/bin/netconvert', '--version'], check=True, capture_output=True, text=True).stdout.split('\n')[0])
closed = {}
for number, tag in enumerate(tags, 1):
    lane = re.search(rf'<edge id="{100 + number}".*?<lane [^>]*disallow="([^"]*)"', net, re.DOTALL)[1]
    closed[tag] = set(lane.split())
    more = closed[tag] - closed[tags[0]]
    print(f'a street with {tag} is closed to', ', '.join(more) or 'no other class than any street')
assert closed['bus=no'] - closed[tags[0]] == {'bus'} and closed['foot=no'] - closed[tags[0]] == {'pedestrian'}
assert 'bus' in closed['psv=no'] and closed['bicycle=no'] - closed[tags[0]] == {'bicycle'}
assert all(closed[tag] == closed[tags[0]] for tag in tags[4:] if tag != 'bicycle=no') and not closed[tags[0]] & {'truck', 'passenger', 'motorcycle', 'bicycle'}
assert not shown.stderr.strip()
EOF
python3 run.py
