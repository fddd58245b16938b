#!/usr/bin/env bash
# Expected: A drive that GPSBabel converts from GPX to NMEA sentences, which navigation devices are tried out with, is a drive
#   with the same places, also to GPSBabel itself.
# Instead: Unless the GPX file says of each point what kind of fix it was, which few do, the sentences call each place void (V
#   in RMC, fix quality 0 and no altitude in GGA). Read back by GPSBabel the drive is empty. The same holds for recordings of
#   dash cams that have RMC alone, with status A.
# Version: gpsbabel 1.8.0+ds-5 of Debian 12, 30 November 2026.
# Matters because: GPX is what trip logs of vehicles are kept in. The conversion ends with exit status 0, the file has the
#   places in it, and every reader that heeds the status finds none.
# Source: NMEA 0183: V in RMC is a warning of the receiver; the GPX 1.1 schema, where fix is optional.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" gpsbabel=1.8.0+ds-5 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > run.py <<'EOF'
import functools
import operator
import subprocess
def babel(*arguments):
    return subprocess.run(['usr/bin/gpsbabel', *arguments], check=True, capture_output=True, text=True).stdout
def gpx(fix):
    points = ''.join(f'<trkpt lat="52.5{count}" lon="13.4"><ele>35</ele><time>2026-06-30T12:00:{count}0Z</time>{fix}</trkpt>' for count in range(4))
    return f'<gpx version="1.1" creator="trip log" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{points}</trkseg></trk></gpx>'
def rmc(count):
    text = f'GPRMC,1200{count}0.00,A,5230.{count}0000,N,01324.00000,E,54.000,0.00,300626,,,A'
    return f'${text}*{functools.reduce(operator.xor, text.encode()):02X}\r\n'
drives = {
    'GPX': ('gpx', gpx('')),
    'GPX with fix': ('gpx', gpx('<fix>3d</fix><sat>8</sat>')),
    'RMC alone': ('nmea', ''.join(map(rmc, range(4)))),
}
print(babel('-V').strip())
counts = {}
for name, (form, text) in drives.items():
    with open('drive', 'w', encoding='ascii') as file:
        file.write(text)
    first = babel('-t', '-i', form, '-f', 'drive', '-o', 'gpx', '-F', '-').count('<trkpt')
    babel('-t', '-i', form, '-f', 'drive', '-o', 'nmea', '-F', 'saved.nmea')
    with open('saved.nmea', encoding='ascii') as file:
        sentences = file.read().splitlines()
    again = babel('-t', '-i', 'nmea', '-f', 'saved.nmea', '-o', 'gpx', '-F', '-').count('<trkpt')
    counts[name] = first, again
    print(f'{name}: {first} places, saved as NMEA and read again {again}; {sentences[0]}')
assert counts == {'GPX': (4, 0), 'GPX with fix': (4, 4), 'RMC alone': (4, 0)}
EOF
python3 run.py
