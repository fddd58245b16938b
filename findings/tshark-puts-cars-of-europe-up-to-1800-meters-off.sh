#!/usr/bin/env bash
# Expected: A car that says twice in one message, in the header of GeoNetworking and in its awareness message (CAM), that it is at
#   52.5 degrees north is shown at one place.
# Instead: tshark shows 52 degrees, 30 minutes and 58.04 seconds in the header, 1.8 km farther north, and 52 degrees, 30 minutes in
#   the message. North of 35.8 degrees nearly each latitude in a header is wrong by up to 58 seconds, north or south, and so is
#   each longitude beyond 35.8 degrees. Degrees, minutes and the raw number are right.
# Version: tshark 4.0.17-0+deb12u3 of Debian 12, 30 November 2026.
# Matters because: Nearly all of Europe lies north of that. Who checks from the header where a car, a truck or a roadworks trailer
#   was finds it on another road. The place looks right at first sight, since the minute is.
# Source: ETSI EN 302 636-4-1, long position vector: latitude and longitude in 1/10 micro degree.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" tshark=4.0.17-0+deb12u3 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > run.py <<'EOF'
import re
import struct
import subprocess


def awareness(version, latitude, longitude, curvature):
    bits = ''

    def put(value, low, high):
        nonlocal bits
        bits += format(value - low, f'0{(high - low).bit_length()}b')

    for value, high in ((version, 255), (2, 255), (1234567, 4294967295), (5000, 65535)):  # header: CAM, station, time
        put(value, 0, high)
    bits += '0000'  # neither extensions nor further containers
    put(5, 0, 255)  # passenger car
    put(latitude, -900000000, 900000001)
    put(longitude, -1800000000, 1800000001)
    for value, low, high in ((4095, 0, 4095), (4095, 0, 4095), (3601, 0, 3601), (800001, -100000, 800001), (15, 0, 15)):
        put(value, low, high)  # accuracy and altitude: not available
    bits += '0' * 9  # a vehicle's container without its options
    for value, low, high in ((900, 0, 3601), (127, 1, 127), (1389, 0, 16383), (127, 1, 127), (0, 0, 2), (45, 1, 1023), (4, 0, 4), (18, 1, 62)):
        put(value, low, high)  # east, 50 km/h, forward, 4.5 m, 1.8 m
    put(161, -160, 161)
    put(102, 0, 102)
    if version == 1:
        put(curvature, -30000, 30001)
    else:
        put(curvature, -1023, 1023)
    for value, low, high in ((7, 0, 7), (2, 0, 7), (32767, -32766, 32767), (8, 0, 8)):
        put(value, low, high)  # the rest: not available
    bits += '0' * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, 'big')


def packet(version, latitude, longitude, curvature):
    message = struct.pack('>HH', 2001, 0) + awareness(version, latitude, longitude, curvature)
    position = bytes.fromhex('9400020000000001') + struct.pack('>IiiHH', 5000, latitude, longitude, 0x8000 | 1389, 900)
    header = bytes.fromhex('11001a01' '20500280') + struct.pack('>HBB', len(message), 1, 0)
    return bytes.fromhex('ffffffffffff0200000000018947') + header + position + bytes(4) + message


def show(packets):
    with open('cars.pcap', 'wb') as file:
        file.write(struct.pack('<IHHiIII', 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for data in packets:
            file.write(struct.pack('<IIII', 1780000000, 0, len(data), len(data)) + data)
    return subprocess.run(['usr/bin/tshark', '-r', 'cars.pcap', '-V'], check=True, capture_output=True, text=True).stdout


def meters(words, value):
    degrees, minutes, seconds, side = re.fullmatch(r'(\d+)\D+(\d+)\'([\d.]+)"([NESW])', words).groups()
    shown = (int(degrees) + int(minutes) / 60 + float(seconds) / 3600) * (1 if side in 'NE' else -1)
    return round((shown - value / 1e7) * 111200)


places = {'Berlin': (525000000, 134000000), 'Madrid': (404168000, -37038000), 'Helsinki': (601699000, 249384000), 'Palermo': (381157000, 133615000), 'Moscow': (557558000, 376173000), 'Las Palmas': (281235000, -154363000)}
text = show([packet(2, *place, 0) for place in places.values()])
headers = re.findall(r'Latitude: (\S+) \(-?\d+\)', text)
messages = re.findall(r' latitude: (\S+) \(-?\d+\)', text)
print('tshark 4.0.17')
offs = []
for (name, (latitude, _)), header, message in zip(places.items(), headers, messages, strict=True):
    offs.append((meters(header, latitude), meters(message, latitude)))
    print(f'{name}, latitude {latitude / 1e7}: header {header}, message {message}; {offs[-1][0]} m and {offs[-1][1]} m off')
assert all(abs(header) > 100 for header, _ in offs[:-1]) and offs[-1][0] == 0 and all(message == 0 for _, message in offs), offs
assert offs[0][0] > 1700, offs
seconds = {name: abs(meters(words, longitude)) / 111200 * 3600 for (name, (_, longitude)), words in zip(places.items(), re.findall(r'Longitude: (\S+) \(-?\d+\)', text), strict=True)}
print('longitudes off by seconds:', {name: round(value, 1) for name, value in seconds.items()})
assert all((value > 1) == (name == 'Moscow') for name, value in seconds.items()), seconds
EOF
python3 run.py
