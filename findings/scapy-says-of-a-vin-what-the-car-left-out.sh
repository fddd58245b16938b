#!/usr/bin/env bash
# Expected: A library that decodes the announcement with which a car tells its VIN on Ethernet shows no state of the VIN where
#   the car sends none: the last byte of the message, which has it, is optional.
# Instead: scapy shows "VIN and/or GID are synchronized", the meaning of the byte 0, for an announcement of 32 bytes without it:
#   it gives a field that is missing at the end of a message the value that it would send itself. The length beside it is right,
#   and what scapy writes again has no such byte either.
# Version: scapy 2.5.0+dfsg-2 of Debian 12, 30 November 2026.
# Matters because: A gateway that has not yet got the VIN from the other controllers is to say so in this byte, and a tester to
#   ask again. Of a car that leaves it out nothing is known, and scapy reports the best.
# Source: ISO 13400-2, vehicle announcement message: VIN/GID synchronization status is optional.
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
from scapy.contrib.automotive.doip import DoIP
print('scapy', scapy.__version__)
seen = []
for state in (b'\x10', b'\x00', b''):
    payload = b'WVWZZZ1KZ9W123456' + bytes.fromhex('0e80001122334455aabbccddeeff00') + state
    sent = bytes.fromhex('02fd0004') + len(payload).to_bytes(4, 'big') + payload
    car = DoIP(sent)
    shown = car.get_field('vin_gid_status').i2repr(car, car.vin_gid_status)
    print(f'{len(payload)} bytes, state {state.hex() or "left out"}: VIN {car.vin.decode()}, length {car.payload_length}, {shown}')
    seen.append((shown, bytes(car) == sent))
assert seen[2] == seen[1] == ('VIN and/or GID are synchronized', True) and seen[0][0] != seen[1][0]
EOF
python3 -W ignore run.py
