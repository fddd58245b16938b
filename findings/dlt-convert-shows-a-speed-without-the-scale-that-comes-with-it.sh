#!/usr/bin/env bash
# Expected: A control unit logs a fixed-point number together with its scale and its offset (AUTOSAR DLT): 850 by 0.1 is a speed of
#   85 km/h, and 85 with an offset of -40 a coolant temperature of 45 degrees. Its log, turned into text, shows 85 and 45.
# Instead: dlt-convert shows 850 and 85. It reads the scale and the offset that stand beside each number, and drops them without a
#   message. A number that the control unit sends as a float is right.
# Version: dlt-tools 2.18.8-6 of Debian 12, 30 November 2026.
# Matters because: Nothing in the text tells such a number from a true one. An engine at 45 degrees is reported at 85, and a car at
#   85 km/h at 850, in the very log that a fault is looked for in.
# Source: AUTOSAR, Log and Trace Protocol Specification (PRS), payload of verbose messages: if the bit FIXP is set, a quantization
#   (a float of 32 bits) and an offset precede the number; the value is the number times the quantization plus the offset.
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

UNSIGNED, FLOAT, FIXED_POINT = 0x40, 0x80, 0x1000


def fixed_point(code, number, scale, offset):
    size = {1: 'B', 2: 'H'}[code]
    return struct.pack(f'<Ifi{size}', UNSIGNED | code | FIXED_POINT, scale, offset, number)


def message(argument):
    # Standard header with ECU and timestamp, extended header: a verbose log message with one argument.
    header = struct.pack('>BBH4sI', 0x35, 0, 22 + len(argument), b'ECU1', 10_000)
    return b'DLT\x01' + struct.pack('<Ii4s', 1_796_032_800, 0, b'ECU1') + header + struct.pack('BB4s4s', 0x41, 1, b'APP1', b'CTX1') + argument


arguments = {
    'speed, 850 by 0.1: 85 km/h': fixed_point(2, 850, 0.1, 0),
    'engine speed, 4000 by 0.25: 1000 rpm': fixed_point(2, 4000, 0.25, 0),
    'coolant, 85 with an offset of -40: 45 degrees': fixed_point(1, 85, 1, -40),
    'speed as a float: 85 km/h': struct.pack('<If', FLOAT | 3, 85),
}
with open('car.dlt', 'wb') as file:
    file.write(b''.join(map(message, arguments.values())))
lines = subprocess.run(['usr/bin/dlt-convert', '-a', 'car.dlt'], check=True, capture_output=True, text=True).stdout.splitlines()
print('dlt-tools 2.18.8')
shown = [line[line.index('[') + 1 : line.index(']')] for line in lines]
for meant, value in zip(arguments, shown, strict=True):
    print(f'{meant}; shown as {value}')
assert [float(value) for value in shown] == [850, 4000, 85, 85], shown
PY
python3 run.py
