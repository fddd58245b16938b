#!/usr/bin/env bash
# Expected: A library that decodes the answers of OBD-II gives the VIN of a car of 2005 as it does for one of 2015.
# Instead: Before CAN a car sent its VIN in five messages of four characters, the first padded with three zero bytes and
#   each with its number. scapy takes the number for a count, and gives each message as a VIN of its own: one of
#   four, the first of one character.
# Version: scapy 2.5.0+dfsg-2 of Debian 12, 29 November 2026.
# Matters because: Cars up to 2007 speak ISO 9141-2, ISO 14230-4 or SAE J1850: a program that takes the first VIN of the
#   answer stores the character 1. Strip the zeros, and join the five in the order of their numbers.
# Source: SAE J1979, service 09, InfoType 02 (messages of five bytes outside of ISO 15765-4).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" python3-scapy=2.5.0+dfsg-2 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
cat > run.py <<'EOF'
import logging
import warnings
logging.disable(logging.CRITICAL)
warnings.simplefilter('ignore')
from scapy.all import VERSION
from scapy.contrib.automotive.obd.obd import OBD
vin = b'1HGCM82633A004352'
def vins(payload):
    record = OBD(payload).data_records[0].payload
    return record.count, [bytes(each) for each in record.vehicle_identification_numbers]
can = vins(b'\x49\x02\x01' + vin)
padded = b'\0\0\0' + vin
serial = [vins(bytes([0x49, 2, part + 1]) + padded[4 * part:4 * part + 4]) for part in range(5)]
print('scapy', VERSION, 'reads over CAN', can)
print('and over a serial line', *serial)
assert can == (1, [vin])
assert [count for count, _ in serial] == [1, 2, 3, 4, 5]
assert [found for _, found in serial] == [[padded[at:at + 4]] for at in range(0, 20, 4)]
EOF
PYTHONPATH=$folder/usr/lib/python3/dist-packages python3 run.py
