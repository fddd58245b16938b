#!/usr/bin/env bash
# Expected: The pressure of the vapor in a tank, asked for by OBD (PID 32), is shown in pascals: 03E4 is 249 Pa, as much as an inch
#   of water.
# Instead: tshark says 249.00 kPa in the line of the packet, two and a half times the pressure of the air, and of a slight vacuum of
#   25 Pa that it is -25 kPa. In the tree the number stands without a unit. The absolute pressure of the same vapor (PID 53) and
#   that of the air are right, in kPa.
# Version: tshark 4.0.17-0+deb12u3 of Debian 12, 30 November 2026.
# Matters because: Leaks of the tank are judged by this number. Beside the absolute pressure of 101 kPa it makes no sense, so that a
#   sound car seems to have a broken sensor.
# Source: SAE J1979-DA, PID 32: evaporative system vapor pressure, -8192 to 8191.75 Pa, 0.25 Pa a bit; PID 53: 0 to 327.675 kPa.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" tshark=4.0.17-0+deb12u3 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > run.py <<'EOF'
import struct
import subprocess

answers = {'249 Pa': '04413203e4aaaaaa', '-25 Pa': '044132ff9caaaaaa', '101.570 kPa, absolute': '0441534f5aaaaaaa', '101 kPa, air': '03413365aaaaaaaa'}
with open('car.pcap', 'wb') as file:
    file.write(struct.pack('<IHHiIII', 0xA1B2C3D4, 2, 4, 0, 0, 65535, 227))
    for answer in answers.values():
        data = struct.pack('>IBBBB', 0x7E8, 8, 0, 0, 0) + bytes.fromhex(answer)
        file.write(struct.pack('<IIII', 1780000000, 0, len(data), len(data)) + data)
command = ['usr/bin/tshark', '-r', 'car.pcap', '-d', 'can.subdissector,iso15765', '-d', 'iso15765.subdissector,obd-ii', '-T', 'fields', '-e', '_ws.col.Info']
lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
print('tshark 4.0.17')
shown = []
for (meant, answer), line in zip(answers.items(), lines, strict=True):
    print(f'{answer[:10]}, which is {meant}: {line}')
    shown.append(line.rsplit(': ', 1)[1])
assert shown == ['249.00 kPa', '-25.00 kPa', '101.57 kPa', '101 kPa'], shown
EOF
python3 run.py
