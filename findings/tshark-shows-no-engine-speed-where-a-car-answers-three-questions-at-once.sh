#!/usr/bin/env bash
# Expected: Where a car is asked for engine speed, speed and temperature in one request, as OBD-II over CAN allows, tshark shows
#   the three values of its answer.
# Instead: It names the first of them, with four bytes of the three as its raw value, 1af80d40, and without a value. The speed and
#   the temperature are not named. Asked one by one, each is shown with its value and unit. scapy reads all three.
# Version: tshark 4.0.17-0+deb12u3 and scapy 2.5.0+dfsg-2 of Debian 12, 30 November 2026.
# Matters because: Loggers in cars ask for up to six values at once, to get more of them in a second. A recording of such a logger
#   has no speed in it for Wireshark, and a display filter for it finds nothing, without a warning.
# Source: SAE J1979, service 01 with ISO 15765-4: up to six PIDs in one request, whose answers follow each other in one message.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" tshark=4.0.17-0+deb12u3 python3-scapy=2.5.0+dfsg-2 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export PYTHONPATH=$folder/usr/lib/python3/dist-packages LIBRARIES=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > run.py <<'EOF'
import logging
import os
import struct
import subprocess
logging.disable(logging.CRITICAL)
from scapy.contrib.automotive.obd.obd import OBD
def frames(answer):
    if len(answer) < 8:
        return [(bytes([len(answer)]) + answer).ljust(8, b'\xaa')]
    rest = [answer[at:at + 7] for at in range(6, len(answer), 7)]
    return [struct.pack('>H', 0x1000 | len(answer)) + answer[:6]] + [(bytes([0x20 | number]) + part).ljust(8, b'\xaa') for number, part in enumerate(rest, 1)]
def tshark(answer):
    with open('car.pcap', 'wb') as file:
        file.write(struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 65535, 227))
        for number, data in enumerate(frames(answer)):
            packet = struct.pack('>IB3x', 0x7e8, 8) + data
            file.write(struct.pack('<IIII', 1_700_000_000, number * 1000, len(packet), len(packet)) + packet)
    arguments = ['usr/bin/tshark', '-r', 'car.pcap', '-V', '-d', 'can.subdissector,iso15765', '-d', 'iso15765.subdissector,obd-ii']
    environment = {**os.environ, 'LD_LIBRARY_PATH': os.environ['LIBRARIES']}
    shown = subprocess.run(arguments, check=True, capture_output=True, text=True, env=environment).stdout
    lines = shown[shown.index('OBD-II PID'):].splitlines()
    return [line.strip() for line in lines if line.strip().startswith(('PID:', 'Raw value:', 'Engine RPM:', 'Vehicle Speed:', 'Engine coolant'))]
answers = {'engine speed': '410c1af8', 'speed': '410d40', 'temperature': '410582', 'all three': '410c1af80d400582'}
seen = {}
for name, answer in answers.items():
    seen[name] = tshark(bytes.fromhex(answer))
    print(f'{name} ({answer}):', '; '.join(seen[name]))
records = OBD(bytes.fromhex(answers['all three'])).data_records
values = [float(record.payload.data) for record in records]
print('scapy 2.5.0 reads of all three:', *values)
assert seen['engine speed'][-1] == 'Engine RPM: 1726' and seen['speed'][-1] == 'Vehicle Speed: 64km/h' and '90' in seen['temperature'][-1]
assert seen['all three'] == ['PID: Engine RPM (0x000c)', 'Raw value: 1af80d40'] and values == [1726, 64, 90]
EOF
python3 -W ignore run.py
