#!/usr/bin/env bash
# Expected: A car reports the leak test of its tank (OBD service 06) with the unit 0xFC, signed hundredths of a kilopascal: -1.50 kPa,
#   where -2.00 to 1.00 is allowed. scapy, which scales these results, shows -1.5 kPa and a test that was passed.
# Instead: It shows 65386, with 65336 as the lower limit and 100 as the upper one. It lacks this unit, and takes it for a raw number
#   without a sign. Three units more that the standard has, 0x87 (millionths), 0x99 (tenths of a kilopascal) and 0xAE (tenths of a
#   milligram per stroke), fare alike. The same vacuum in 0xFD or 0xFE, thousandths of a kilopascal and pascals, is right.
# Version: scapy 2.5.0+dfsg-2 of Debian 12, 30 November 2026.
# Matters because: A result is judged by its limits. By these numbers a tank that is tight has failed, and so has each test with a
#   result below zero and an upper limit above zero. No message says that the unit is unknown.
# Source: SAE J1979-DA, units and scaling identifiers of service 06: those from 0x80 on are signed; 0xFC is 0.01 kPa a bit.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" python3-scapy=2.5.0+dfsg-2 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
cat > run.py <<'PY'
import logging
import struct
import warnings

logging.disable(logging.CRITICAL)
warnings.simplefilter('ignore')
from scapy.all import VERSION
from scapy.contrib.automotive.obd.obd import OBD

LEAK_TEST = 0x3C


def read(unit, *numbers):
    answer = OBD(struct.pack('>BBBB3h', 0x46, LEAK_TEST, 0x80, unit, *numbers))
    record = answer.data_records[0].payload
    return record.test_value, record.min_limit, record.max_limit


results = {'-1.50 kPa of -2.00 to 1.00 (FC)': (0xFC, -150, -200, 100), '-1.5 kPa of -2.0 to 1.0 (99)': (0x99, -15, -20, 10), '-0.150 kPa of -0.200 to 0.100 (FD)': (0xFD, -150, -200, 100), '-37.5 Pa of -50 to 25 (FE)': (0xFE, -150, -200, 100)}
print('scapy', VERSION)
passed = []
for meant, sent in results.items():
    value, low, high = read(*sent)
    passed.append(low <= value <= high)
    print(f'{meant}: shown as {value:g} of {low:g} to {high:g}, {"passed" if passed[-1] else "failed"}')
raw = [unit for unit in (0x81, 0x87, 0x8B, 0x96, 0x99, 0x9C, 0xA8, 0xAE, 0xB0, 0xFC, 0xFD, 0xFE) if read(unit, -1, -1, -1)[0] > 0]
print('signed units without a sign:', ' '.join(f'{unit:02X}' for unit in raw))
assert passed == [False, False, True, True] and read(0xFC, -150, -200, 100) == (65386, 65336, 100), passed
assert raw == [0x87, 0x99, 0xAE, 0xFC], raw
PY
PYTHONPATH=$folder/usr/lib/python3/dist-packages python3 run.py
