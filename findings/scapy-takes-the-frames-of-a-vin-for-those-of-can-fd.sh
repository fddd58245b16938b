#!/usr/bin/env bash
# Expected: A library that reads recordings of a car's bus knows classic CAN from CAN FD: candump writes one # behind the
#   identifier for the one and two for the other.
# Instead: scapy also takes a classic frame for CAN FD if it has more than four bytes: it compares the number of hexadecimal
#   digits with eight, the number of bytes. The frames of a VIN, of eight bytes, are CAN FD, and a frame of four is not.
# Version: scapy 2.5.0+dfsg-2 of Debian 12, 30 November 2026.
# Matters because: Nearly all frames of a car have eight bytes. Who counts, filters or sends them again by their class finds a
#   bus with CAN FD, which older controllers answer with error frames, and tests with short frames show nothing of it.
# Source: can-utils, lib.h, for the form of the lines; scapy itself has a class CAN for frames of up to eight bytes.
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
from scapy.layers.can import rdcandump
lines = {
    'classic, 3 bytes': '7E0#020902',
    'classic, 4 bytes': '7E0#03220C01',
    'classic, 5 bytes': '7E8#0441050A0B',
    'classic, 8 bytes, of a VIN': '7E8#1014490201314847',
    'CAN FD, 12 bytes': '7E8##1000102030405060708090A0B',
}
with open('car.log', 'w', encoding='ascii') as file:
    file.write(''.join(f'(1700000000.{number}00000) can0 {line}\n' for number, line in enumerate(lines.values())))
print('scapy', scapy.__version__)
found = [type(frame).__name__ for frame in rdcandump('car.log')]
for (name, line), kind in zip(lines.items(), found):
    print(f'{name}: {line} is {kind}')
assert found == ['CAN', 'CAN', 'CANFD', 'CANFD', 'CANFD']
EOF
python3 -W ignore run.py
