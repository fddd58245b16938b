#!/usr/bin/env bash
# Expected: A car that says in its awareness message (CAM) that the curvature of its way is not available is shown so, and one in a
#   bend with a radius of 100 m with that radius.
# Instead: In messages of version 2, which cars send today, tshark shows not available (1023) as a bend to the left of 29.326 m, and
#   each bend three times as wide as it is: 100 m as 300 m. It reads the number with the range of version 2 and explains it with
#   the unit of version 1, for which it is right. The raw number behind it, and in -T fields, is right.
# Version: tshark 4.0.17-0+deb12u3 of Debian 12, 30 November 2026.
# Matters because: A standing car, or one without a sensor for it, seems to turn sharply, and a real hairpin to be a wide bend. Both
#   look plausible.
# Source: ETSI TS 102 894-2, CurvatureValue: in version 2 of ITS-Container -1023 to 1023, unavailable(1023), in units of 1/10,000 m; in
#   version 1 -30000 to 30001, unavailable(30001).
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


cases = [(1, 30001, 'not available'), (1, 300, '100 m'), (2, 1023, 'not available'), (2, 100, '100 m'), (2, -200, '50 m to the right')]
text = show([packet(version, 525000000, 134000000, value) for version, value, _ in cases])
shown = re.findall(r'curvatureValue: (.*) \(-?\d+\)', text)
print('tshark 4.0.17')
for (version, value, meant), words in zip(cases, shown, strict=True):
    print(f'version {version}, curvature {value}, which is {meant}: {words}')
assert shown == ['unavailable', '100.000m left', '29.326m left', '300.000m left', '-150.000m right'], shown
EOF
python3 run.py
