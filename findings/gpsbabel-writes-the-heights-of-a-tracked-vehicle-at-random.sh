#!/usr/bin/env bash
# Expected: GPSBabel, which writes the files of LandAirSea's vehicle trackers, writes the height of each place in feet: 115 ft for
#   35 m.
# Instead: It writes one number for all places of a file, such as -1968447696ft, and another one each time. Times, places and
#   speeds are right, but the seconds of each latitude and longitude end in a backslash and a quotation mark.
# Version: gpsbabel 1.8.0+ds-5 of Debian 12, 30 November 2026.
# Matters because: Trips are converted so that one program shows all vehicles of a fleet. Heights tell a bridge from the road
#   beneath it, and a climb explains what a truck burned.
# Source: The GPX file that is given to it; GPSBabel itself reads the number that it wrote as a height in feet.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" gpsbabel=1.8.0+ds-5 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > run.py <<'EOF'
import re
import subprocess
heights = (35, 135, 235)
points = ''.join(f'<trkpt lat="52.5{at}" lon="13.4"><ele>{height}</ele><time>2026-06-30T12:00:{at}0Z</time><speed>27.8</speed></trkpt>' for at, height in enumerate(heights))
with open('trip.gpx', 'w', encoding='ascii') as file:
    file.write(f'<gpx version="1.0" creator="trip log" xmlns="http://www.topografix.com/GPX/1/0"><trk><trkseg>{points}</trkseg></trk></gpx>')
feet = [round(height / 0.3048) for height in heights]
print(subprocess.run(['usr/bin/gpsbabel', '-V'], check=True, capture_output=True, text=True).stdout.strip())
print('heights in feet:', *feet)
seen = []
for count in range(4):
    subprocess.run(['usr/bin/gpsbabel', '-t', '-i', 'gpx', '-f', 'trip.gpx', '-o', 'land_air_sea', '-F', 'trip.txt'], check=True)
    with open('trip.txt', encoding='utf-8') as file:
        text = file.read()
    seen.append([int(number) for number in re.findall(r',(-?\d+)ft', text)])
    print(f'written, {count + 1}:', *seen[-1], '' if count else f'in {text.splitlines()[0]}')
assert all(len(row) == 3 and len(set(row)) == 1 for row in seen) and not {row[0] for row in seen} & set(feet)
assert '62.1mph' in text or '62.2mph' in text
EOF
python3 run.py
