#!/usr/bin/env bash
# Expected: A library that knows OBD-II tells which self-tests of the exhaust system a car has and which are complete.
# Instead: scapy names the bits of the tests that run once a trip from the wrong end, and calls those ready that are not. A
#   gasoline car with catalyst, evaporative system, oxygen sensors and their heater has, to scapy, a heated catalyst,
#   evaporative system, oxygen sensor and exhaust gas recirculation. With the battery just disconnected, all are ready.
# Version: scapy 2.5.0+dfsg-2 of Debian 12, 30 November 2026.
# Matters because: Inspections of exhaust gas refuse a car whose tests are not complete, and record the answer by VIN. A car
#   that is ready seems to have nothing ready, and one whose memory was cleared to hide a fault to be done.
# Source: SAE J1979, service 01, PID 01: byte C, bit 0 catalyst to bit 7 exhaust gas recirculation, says what is supported;
#   byte D, and bits 4 to 6 of byte B, are 1 for a test that is not complete.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" python3-scapy=2.5.0+dfsg-2 > apt.log 2>&1
dpkg-deb -x packages/python3-scapy_*.deb .
export PYTHONPATH=$folder/usr/lib/python3/dist-packages
cat > run.py <<'EOF'
import logging
logging.disable(logging.CRITICAL)
import scapy
from scapy.contrib.automotive.obd.obd import OBD
from scapy.contrib.automotive.obd.pid.pids_00_1F import OBD_PID01
has = {'catalyst': 0, 'evaporative system': 2, 'oxygen sensor': 5, 'oxygen sensor heater': 6}
supported = sum(1 << bit for bit in has.values())
print('scapy', scapy.__version__)
print('a car with', ', '.join(has))
shown = {}
for state, open_of_b, open_of_d in (('all complete', 0, 0), ('none complete', 7, supported)):
    answer = OBD(bytes([0x41, 0x01, 0x00, open_of_b << 4 | 7, supported, open_of_d]))
    monitors = answer[OBD_PID01]
    shown[state] = str(monitors.once_per_trip_tests_supported), str(monitors.continuous_tests_ready), str(monitors.once_per_trip_tests_ready)
    print(f'{state}: has {shown[state][0]}; ready: {shown[state][1] or "none"}, {shown[state][2] or "none"}')
names = 'egr+oxygenSensor+evaporativeSystem+heatedCatalyst'
assert shown == {'all complete': (names, '', ''), 'none complete': (names, 'misfire+fuelSystem+components', names)}
EOF
python3 -W ignore run.py
