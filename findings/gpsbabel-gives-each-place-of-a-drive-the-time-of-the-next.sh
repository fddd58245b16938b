#!/usr/bin/env bash
# Expected: GPSBabel gives each position of a car's recording the time at which the receiver measured it.
# Instead: Where the receiver sends RMC before GGA, as those of u-blox do, each place gets the time of the next one, and the
#   first is there twice: at 100 km/h and a position each ten seconds the car is 278 m behind. The last place is lost. With
#   GGA before RMC all is right, but GPSBabel writes RMC first itself, so that saving a file as NMEA moves it once more.
# Version: gpsbabel 1.8.0+ds-5 of Debian 12, 30 November 2026.
# Matters because: Both sentences carry the time, so that nothing has to be guessed. A trip looks right on a map; where a
#   car was when something happened, and what a trip log joins to a vehicle by time, is another place.
# Source: NMEA 0183: the time in RMC and in GGA is that of the position in the same sentence.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" gpsbabel=1.8.0+ds-5 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > run.py <<'EOF'
import csv
import functools
import operator
import subprocess
def sentence(text):
    return f'${text}*{functools.reduce(operator.xor, text.encode()):02X}\r\n'
def write(name, order):
    """Writes five positions, ten seconds and 0.15 minutes of latitude (278 m) apart."""
    with open(name, 'w', encoding='ascii') as file:
        for count in range(5):
            time, latitude = f'1200{count * 10:02}.00', f'5230.{count * 15:02}000'
            sentences = {
                'RMC': sentence(f'GPRMC,{time},A,{latitude},N,01324.00000,E,54.000,0.00,300626,,,A'),
                'GGA': sentence(f'GPGGA,{time},{latitude},N,01324.00000,E,1,08,1.00,35.0,M,40.0,M,,'),
            }
            file.write(''.join(sentences[key] for key in order))
def babel(*arguments):
    return subprocess.run(['usr/bin/gpsbabel', *arguments], check=True, capture_output=True, text=True).stdout
def behind(name):
    """Gives for each point how many seconds the car has been gone from it, by its latitude."""
    points = csv.DictReader(babel('-t', '-i', 'nmea', '-f', name, '-o', 'unicsv', '-F', '-').splitlines())
    return [int(point['Time'][-2:]) - round((float(point['Latitude']) - 52.5) / 0.0025) * 10 for point in points]
print(babel('-V').strip())
late = {}
for order in (['GGA', 'RMC'], ['RMC', 'GGA']):
    write('trip.nmea', order)
    late[order[0]] = [behind('trip.nmea')]
    for _ in range(2):
        babel('-i', 'nmea', '-f', 'trip.nmea', '-o', 'nmea', '-F', 'saved.nmea')
        subprocess.run(['mv', 'saved.nmea', 'trip.nmea'], check=True)
        late[order[0]].append(behind('trip.nmea'))
    for saves, seconds in enumerate(late[order[0]]):
        print(f'{" before ".join(order)}, saved {saves} times: {len(seconds)} points, seconds behind: {", ".join(map(str, seconds))}')
assert late['GGA'][0] == [0, 0, 0, 0, 0] and late['GGA'][1] == [0, 10, 10, 10, 10]
assert late['RMC'][0] == [0, 10, 10, 10, 10] and max(late['RMC'][1]) == 20
EOF
python3 run.py
