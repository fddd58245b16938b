#!/usr/bin/env bash
# Expected: A receiver shows the battery of a tire pressure sensor of Steelmate with 2.84 volts, as the sensor sends it.
# Instead: rtl_433 doubles the byte and calls that millivolts: 284 mV. The byte counts steps of twenty millivolts, not of
#   two. No battery can have more than 510 mV, and a new cell of 3 V has 300. Pressure and temperature are right.
# Version: rtl-433 22.11-1 of Debian 12, 29 November 2026; a message of an invented sensor, given as a code.
# Matters because: The voltage tells when a sensor is to be changed. Programs that warn below 2.5 V warn of each sensor.
# Source: The decoder's own description: 0x8e is 2.84 V.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" rtl-433=22.11-1 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
LD_LIBRARY_PATH=$(find "$folder" -name '*.so*' -printf '%h:' | tr ':' '\n' | sort -u | paste -sd :)
export LD_LIBRARY_PATH
cat > run.py <<'EOF'
import json
import subprocess
def read(battery):
    """Gives what rtl_433's decoder 59 reads of a message with 30 PSI, 74 degrees Fahrenheit and a battery's byte."""
    payload = [0x01, 0x12, 0x34, 2 * 30, 74, battery]
    payload.append(sum(payload) & 0xff)
    code = '{72}0000' + ''.join(f'{int(f"{byte:08b}"[::-1], 2) ^ 0xff:02x}' for byte in payload)
    return json.loads(subprocess.run(['usr/bin/rtl_433', '-c', '/dev/null', '-R', '59', '-F', 'json', '-y', code], check=True, capture_output=True, text=True).stdout)
print('rtl_433 22.11')
for battery, volts in ((0x8e, 2.84), (0x96, 3.0), (0xff, 5.1)):
    shown = read(battery)
    print(f'byte {battery:#x}, {volts} V: {shown["battery_mV"]} mV, {shown["pressure_PSI"]} PSI, {shown["temperature_F"]} degrees Fahrenheit')
    assert shown['battery_mV'] == round(volts * 100) and shown['pressure_PSI'] == 30 and shown['temperature_F'] == 74
EOF
python3 run.py
