#!/usr/bin/env bash
# Expected: The exporter of a traffic simulator that is told the date writes when each vehicle was where, as GPX has it.
# Instead: traceExporter of SUMO writes the seconds of the simulation, such as 100.0, into the time of each point, and heeds the
#   date in another of its formats alone. GPX asks for a date and time: GPSBabel and gpxpy read the places without any time, and
#   without speed and duration, and say nothing.
# Version: sumo-tools 1.15.0+dfsg-1+deb12u1, gpsbabel 1.8.0+ds-5 and python3-gpxpy 1.5.0-1 of Debian 12, 30 November 2026.
# Matters because: Simulated drives stand in for those of a fleet where real ones may not be used. On a map they look right, and
#   each program that asks how far a vehicle had come, or how fast it was, answers nothing or zero.
# Source: The GPX 1.0 and 1.1 schemas: time is xsd:dateTime; traceExporter's option --base-date.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" gpsbabel=1.8.0+ds-5 python3-gpxpy=1.5.0-1 > apt.log 2>&1
apt-get download sumo-tools=1.15.0+dfsg-1+deb12u1 >> apt.log 2>&1
for package in packages/*.deb sumo-tools_*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
export PYTHONPATH=$folder/usr/lib/python3/dist-packages:$folder/usr/share/sumo/tools
cat > drive.xml <<'EOF'
<fcd-export>
  <timestep time="0.00"><vehicle id="car" x="13.4" y="52.500" angle="0" type="passenger" speed="27.8" pos="0" lane="a_0" slope="0"/></timestep>
  <timestep time="4.00"><vehicle id="car" x="13.4" y="52.501" angle="0" type="passenger" speed="27.8" pos="111" lane="a_0" slope="0"/></timestep>
  <timestep time="100.00"><vehicle id="car" x="13.4" y="52.525" angle="0" type="passenger" speed="27.8" pos="2780" lane="a_0" slope="0"/></timestep>
</fcd-export>
EOF
for format in gpx gpsdat; do
  TZ=UTC python3 usr/share/sumo/tools/traceExporter.py --fcd-input drive.xml --base-date 1782820800 --$format-output "drive.$format"
done
cat > run.py <<'EOF'
import re
import subprocess
import gpxpy
with open('drive.gpx', encoding='utf-8') as file:
    text = file.read()
with open('drive.gpsdat', encoding='utf-8') as file:
    dates = [line.split('\t')[1] for line in file]
times = re.findall(r'<time>(.*?)</time>', text)
print('traceExporter 1.15.0 writes the date', dates[-1], 'as gpsdat, and as GPX', *times)
points = [point for track in gpxpy.parse(text).tracks for segment in track.segments for point in segment.points]
data = gpxpy.parse(text).get_moving_data()
print('gpxpy 1.5.0 reads', len(points), 'places, times:', *[point.time for point in points], 'and', data.moving_distance, 'm driven')
table = subprocess.run(['usr/bin/gpsbabel', '-t', '-i', 'gpx', '-f', 'drive.gpx', '-o', 'unicsv', '-F', '-'], check=True, capture_output=True, text=True)
lines = table.stdout.split()
print('GPSBabel 1.8.0 reads', len(lines) - 1, 'places with', lines[0])
assert times == ['0.0', '4.0', '100.0'] and dates[2:] == ['2026-06-30 12:01:40']
assert len(points) == 3 and not any(point.time for point in points) and data.moving_distance == 0
assert lines[0] == 'No,Latitude,Longitude' and len(lines) == 4 and not table.stderr
EOF
python3 run.py
