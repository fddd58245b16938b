#!/usr/bin/env bash
# Expected: A library that knows the formulas of OBD-II scales each value as the standard does.
# Instead: scapy reads one byte of the two of the mass air flow: 50 g/s (13 88) become 0.19 g/s, and never more than
#   2.55. The current of a wide-range oxygen sensor lacks its offset, so that 0 mA, stoichiometric, is 128. Speed,
#   engine speed, temperatures and fuel rate are right.
# Version: scapy 2.5.0+dfsg-2 of Debian 12, 29 November 2026.
# Matters because: The mass air flow is what fuel consumption is computed from where a car gives no fuel rate: 10
#   liters for 100 km become 0.04.
# Source: SAE J1979, service 01: PID 10 is (256 A + B) / 100, PID 34 (256 C + D) / 256 - 128.
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
def value(answer, field='data'):
    return getattr(OBD(bytes.fromhex(answer)).data_records[0].payload, field)
values = {'speed of 64 km/h': value('410D40'), 'engine speed of 1726/min': value('410C1AF8'), 'fuel rate of 12.8 l/h': value('415E0100'), 'air flow of 50 g/s': value('41101388'), 'air flow of 200 g/s': value('41104E20'), 'current of 0 mA': value('413480008000', 'current')}
print('scapy', VERSION, 'reads:')
for sent, read in values.items():
    print(sent, 'as', read)
assert list(values.values()) == [64, 1726, 12.8, 0.19, 0.78, 128]
EOF
PYTHONPATH=$folder/usr/lib/python3/dist-packages python3 run.py
