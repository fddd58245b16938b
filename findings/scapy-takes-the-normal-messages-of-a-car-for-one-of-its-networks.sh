#!/usr/bin/env bash
# Expected: A library for diagnostics shows what 28 03 01 asks a car for, as testers send it before they program one: stop
#   the normal messages (1 in the low bits) in all networks (0 in the high bits).
# Instead: scapy reads the byte from the other end: a kind of message that is reserved, and network 1. A packet that it is told
#   to make for normal messages has the byte 40, which asks for a reserved kind in network 4.
# Version: scapy 2.5.0+dfsg-2 of Debian 12, 30 November 2026.
# Matters because: Who reads a recording looks for one network that was silenced where it was all of them, and a request that scapy
#   made silences no normal messages, which go on while the car is programmed and disturb it.
# Source: ISO 14229-1, annex B, communicationType: bits 0 and 1 are the kind of messages, bits 4 to 7 the network.
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
from scapy.contrib.automotive.uds import UDS, UDS_CC
def read(text):
    request = UDS(bytes.fromhex(text))[UDS_CC]
    return tuple(request.get_field(name).i2repr(request, request.getfieldval(name)) for name in ('communicationType0', 'communicationType2'))
print('scapy', scapy.__version__)
meanings = {'28 03 01': 'normal messages, all networks', '28 03 03': 'all messages, all networks', '28 03 41': 'normal messages, network 4'}
seen = {}
for text, meaning in meanings.items():
    seen[text] = read(text)
    print(f'{text} ({meaning}): {seen[text][0]}; {seen[text][1]}')
made = bytes(UDS() / UDS_CC(controlType=3, communicationType0=1)).hex(' ')
print('made for normalCommunicationMessages in all networks:', made)
assert seen['28 03 01'] == seen['28 03 03'] == ('ISOSAEReserved', 'Disable/Enable specific subnet') and made == '28 03 40'
assert seen['28 03 41'] == ('normalCommunicationMessages', 'Disable/Enable specific subnet')
EOF
python3 -W ignore run.py
