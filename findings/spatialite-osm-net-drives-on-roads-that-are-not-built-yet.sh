#!/usr/bin/env bash
# Expected: spatialite_osm_net makes a network of roads out of a map of OpenStreetMap, with a speed for each. By default it leaves out
#   footways, cycleways, bridleways and steps, and so what no car can or may drive on.
# Instead: It takes roads under construction, planned roads and corridors of buildings for roads with 30 km/h. It does not look at who
#   may use a road: one closed to motor vehicles, or to all, costs as much as an open one. Where it is shorter, a route leads over each
#   of them, without a word.
# Version: spatialite-bin 5.0.1-2 of Debian 12, 30 November 2026; its default for roads, with SpatiaLite's own search of the shortest way.
# Matters because: A bypass is on the map years before it opens. Drivers are sent to a building site, and the distances that tours and
#   prices are computed from are shorter than any drive can be.
# Source: OpenStreetMap's documentation: highway=construction and highway=proposed are not usable; access and motor_vehicle tell who
#   may use a way, and a router has to heed them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" spatialite-bin=5.0.1-2 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > run.py <<'PY'
import subprocess
from pathlib import Path

# A straight road from A (node 1) to B (node 2), and open streets around it by nodes 3 and 4.
nodes = {1: (52, 13), 2: (52, 13.01), 3: (52.01, 13), 4: (52.01, 13.01)}
streets = [(1, 3), (3, 4), (4, 2)]
straight = {
    'residential street': {'highway': 'residential'},
    'footway': {'highway': 'footway'},
    'cycleway': {'highway': 'cycleway'},
    'bridleway': {'highway': 'bridleway'},
    'steps': {'highway': 'steps'},
    'motorway under construction': {'highway': 'construction', 'construction': 'motorway'},
    'planned motorway': {'highway': 'proposed', 'proposed': 'motorway'},
    'corridor of a building': {'highway': 'corridor'},
    'street without motor vehicles': {'highway': 'residential', 'motor_vehicle': 'no'},
    'street closed to all': {'highway': 'residential', 'access': 'no'},
}


def way(number, ends, tags):
    tags = ''.join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())
    return f'<way id="{number}" version="1">{"".join(f"<nd ref={chr(34)}{end}{chr(34)}/>" for end in ends)}{tags}</way>'


def route(tags):
    for old in Path('.').glob('map.*'):
        old.unlink()
    ways = [way(1, (1, 2), {'name': 'straight', **tags})] + [way(2 + number, ends, {'name': 'street', 'highway': 'residential'}) for number, ends in enumerate(streets)]
    places = [f'<node id="{number}" version="1" lat="{latitude}" lon="{longitude}"/>' for number, (latitude, longitude) in nodes.items()]
    Path('map.osm').write_text('<osm version="0.6">' + '\n'.join(places + ways) + '</osm>')
    subprocess.run(['usr/bin/spatialite_osm_net', '-o', 'map.osm', '-d', 'map.sqlite', '-T', 'roads'], check=True, capture_output=True)
    ends = "(SELECT node_id FROM roads_nodes WHERE osm_id = {})"
    query = f"""SELECT CreateRouting('data', 'net', 'roads', 'node_from', 'node_to', 'geometry', 'cost', 'name', 1, 1, 'oneway_fromto', 'oneway_tofrom');
    SELECT Name, Cost FROM net WHERE NodeFrom = {ends.format(1)} AND NodeTo = {ends.format(2)};"""
    return subprocess.run(['usr/bin/spatialite', '-silent', 'map.sqlite', query], check=True, capture_output=True, text=True).stdout.splitlines()[1:]


print('spatialite-bin 5.0.1')
led = []
for name, tags in straight.items():
    total, *parts = route(tags)
    over = parts[0].split('|')[0] == 'straight'
    print(f'{name}: {"over it" if over else "around it"}, {float(total[1:]):.0f} seconds')
    if over:
        led.append(name)
assert led == [name for name in straight if name not in ('footway', 'cycleway', 'bridleway', 'steps')], led
PY
python3 run.py
