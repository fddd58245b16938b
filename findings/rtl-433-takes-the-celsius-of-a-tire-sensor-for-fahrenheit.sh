#!/usr/bin/env bash
# Expected: A receiver shows a tire pressure sensor's temperature of -10 degrees Celsius as such, or as 14 Fahrenheit.
# Instead: rtl_433 of Debian 12 takes the byte, which is degrees Celsius plus 50, for degrees Fahrenheit: -10 is shown as
#   40 F (4 C), 60 as 110 F (43 C). In between, at 24 C, both readings agree, so that a test indoors proves it right.
#   Told to give Celsius (-C si), it converts the wrong value.
# Version: rtl-433 22.11-1 of Debian 12, 29 November 2026, decoder 59, Steelmate; messages of an invented sensor.
# Matters because: A tire loses about a tenth of its pressure over 25 degrees. Who corrects pressure by temperature
#   corrects by little more than half of what is needed, and a hot tire looks warm.
# Source: rtl_433, issue 3200 and the change "Fix Steelmate pressure formula" of July 2025, after version 25.02.
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
import json
import subprocess
def read(celsius, *options):
    """Gives what rtl_433's decoder 59 reads of a message with a temperature, which the sensor sends plus 50."""
    payload = [0x01, 0x12, 0x34, 0x40, celsius + 50, 0x8e]
    payload.append(sum(payload) & 0xff)
    code = '{72}0000' + ''.join(f'{int(f"{byte:08b}"[::-1], 2) ^ 0xff:02x}' for byte in payload)
    return json.loads(subprocess.run(['usr/bin/rtl_433', '-c', '/dev/null', '-R', '59', *options, '-F', 'json', '-y', code], check=True, capture_output=True, text=True).stdout)
print('rtl_433 22.11')
shown = {}
for celsius in (-20, -10, 0, 24, 60):
    fahrenheit, converted = read(celsius)['temperature_F'], read(celsius, '-C', 'si')['temperature_C']
    print(f'{celsius} degrees Celsius, {celsius * 9 / 5 + 32:.0f} Fahrenheit: shown as {fahrenheit:.0f} Fahrenheit, with -C si as {converted:.1f} Celsius')
    shown[celsius] = fahrenheit, round(converted, 1)
assert shown == {-20: (30, -1.1), -10: (40, 4.4), 0: (50, 10), 24: (74, 23.3), 60: (110, 43.3)}
EOF
python3 run.py
