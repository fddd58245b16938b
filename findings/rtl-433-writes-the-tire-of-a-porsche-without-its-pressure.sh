#!/usr/bin/env bash
# Expected: A receiver of tire pressure sensors writes the same values as CSV and as JSON.
# Instead: rtl_433 has a column "pressure" for Porsche's sensors, and the decoder calls the value pressure_kPa: JSON has
#   250 kPa, CSV an empty column. The temperature beside it is in both.
# Version: rtl-433 22.11-1 of Debian 12, 29 November 2026; a message of an invented sensor, given as a code.
# Matters because: Sensors stand for a car where no VIN can be read, and CSV is what logs of them are kept in. An empty
#   pressure looks like a sensor that has none to tell.
# Source: The decoder's description in the same program: eight bits of pressure, in steps of 2.5 kPa from -100 kPa.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" rtl-433=22.11-1 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(find "$folder" -name '*.so*' -printf '%h:' | tr ':' '\n' | sort -u | paste -sd :)
export LD_LIBRARY_PATH
cat > run.py <<'EOF'
import csv
import json
import subprocess
def crc(data):
    """Gives the CRC-16 with the polynomial 0x1021 that begins with 0xffff."""
    value = 0xffff
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ (0x1021 if value & 0x8000 else 0)) & 0xffff
    return value.to_bytes(2, 'big')
data = bytes.fromhex('12345678') + bytes([(250 + 100) * 2 // 5, 25 + 40, 0x12, 0x34])
bits, level = '1100' * 7 + '10', 0
for bit in ''.join(f'{byte:08b}' for byte in data + crc(data)):
    level ^= 1
    bits += str(level)
    level ^= bit == '0'
    bits += str(level)
code = f'{{{len(bits)}}}{int(bits.ljust(-(-len(bits) // 4) * 4, "0"), 2):x}'
def read(form):
    """Gives what rtl_433 writes in a form, from its decoder 203 for Porsche's sensors."""
    return subprocess.run(['usr/bin/rtl_433', '-c', '/dev/null', '-R', '203', '-F', form, '-y', code], check=True, capture_output=True, text=True).stdout
print('rtl_433 22.11')
shown = json.loads(read('json'))
row, = csv.DictReader(read('csv').splitlines())
print('JSON: pressure_kPa', shown['pressure_kPa'], 'temperature_C', shown['temperature_C'])
print('CSV:', ', '.join(f'{name} "{value}"' for name, value in row.items() if name in ('pressure', 'pressure_kPa', 'temperature_C')))
assert shown['pressure_kPa'] == 250 and row['pressure'] == '' and 'pressure_kPa' not in row and float(row['temperature_C']) == 25
EOF
python3 run.py
