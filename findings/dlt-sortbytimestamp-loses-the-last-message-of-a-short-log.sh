#!/usr/bin/env bash
# Expected: A log of a control unit (AUTOSAR DLT), put in the order of its clock, has each message once.
# Instead: Where the log lasts less than 50 seconds, dlt-sortbytimestamp writes the first message twice and leaves out the last. The
#   number of messages stays, the program ends without an error, and a log of a minute is right.
# Version: dlt-tools 2.18.8-6 of Debian 12, 30 November 2026.
# Matters because: The last message before a control unit stops is the one that is looked for, and the seconds before it are what is cut
#   out and sorted. The sorted log ends with a car on which nothing had happened yet.
# Source: The manual page of dlt-sortbytimestamp: it writes the messages of its input in another order; within a single start of the
#   control unit "all will be well".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" dlt-tools=2.18.8-6 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > run.py <<'PY'
import struct
import subprocess


def message(seconds, text):
    # Standard header with ECU and timestamp (in steps of 0.1 ms), extended header: a verbose log message with one string.
    argument = text.encode() + b'\0'
    argument = struct.pack('<IH', 0x8200, len(argument)) + argument
    header = struct.pack('>BBH4sI', 0x35, 0, 22 + len(argument), b'ECU1', round(seconds * 10_000))
    return b'DLT\x01' + struct.pack('<Ii4s', 1_796_032_800 + int(seconds), 0, b'ECU1') + header + struct.pack('BB4s4s', 0x41, 1, b'APP1', b'CTX1') + argument


def sort(messages):
    with open('car.dlt', 'wb') as file:
        file.write(b''.join(message(seconds, text) for seconds, text in messages))
    subprocess.run(['usr/bin/dlt-sortbytimestamp', 'car.dlt', 'sorted.dlt'], check=True, capture_output=True)
    lines = subprocess.run(['usr/bin/dlt-convert', '-a', 'sorted.dlt'], check=True, capture_output=True, text=True).stdout.splitlines()
    return [line[line.index('[') + 1 : line.index(']')] for line in lines]


def drive(end):
    return [(1, 'ignition on'), (3, 'engine runs'), (2, 'doors closed'), (end / 2, 'speed 80 km/h'), (end, 'brake pressure lost')]


print('dlt-tools 2.18.8')
logs = {}
for end in (20, 45, 49, 60, 90):
    logs[end] = sort(drive(end))
    print(f'log up to second {end}: {", ".join(logs[end])}')
right = ['ignition on', 'doors closed', 'engine runs', 'speed 80 km/h', 'brake pressure lost']
for end in (20, 45, 49):
    assert logs[end] == ['ignition on', *right[:-1]], logs[end]
assert logs[60] == logs[90] == right, logs
PY
python3 run.py
