#!/usr/bin/env bash
# Expected: A library that puts together the messages of ISO-TP gives the VIN of a car as one message, and the mileage beside
#   it as another.
# Instead: scapy tries each frame with and without an address in its first byte, and keeps what comes of either. The tester's
#   leave to go on becomes an empty message, and so does the end of an answer; a frame in the middle of one whose second byte is
#   1 to 6, such as that of a mileage of 123,456 km (01 E2 40), becomes an answer of its own (E2). With use_ext_address=False
#   there are none.
# Version: scapy 2.5.0+dfsg-2 of Debian 12, 30 November 2026.
# Matters because: Most cars use no such address. The phantom is a diagnostic answer of any service, according to a byte
#   that means something else, and it comes and goes with the values. The VIN itself is right, so that a trial shows nothing.
# Source: ISO 15765-2: whether frames have an address in their data is settled for each identifier, not by their contents.
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
from scapy.contrib.isotp import ISOTPMessageBuilder
from scapy.layers.can import CAN
def frames(message):
    """Gives the frames of a controller's answer (7E8), with the tester's leave to go on (7E0) behind the first."""
    yield CAN(identifier=0x7e8, data=bytes([0x10, len(message)]) + message[:6])
    yield CAN(identifier=0x7e0, data=bytes([0x30, 0, 0, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa]))
    for number, start in enumerate(range(6, len(message), 7), 1):
        yield CAN(identifier=0x7e8, data=(bytes([0x20 | number]) + message[start:start + 7]).ljust(8, b'\xaa'))
def read(message, **options):
    builder = ISOTPMessageBuilder(**options)
    builder.feed(list(frames(message)))
    found = []
    while len(builder):
        found.append(builder.pop().data)
    return found
print('scapy', scapy.__version__)
answers = {
    'the VIN': bytes.fromhex('490201') + b'1HGCM82633A004352',
    'an answer with a mileage': bytes.fromhex('62f1a0ffff0001e240202611300000'),
}
for name, message in answers.items():
    print(f'{name}, sent {message.hex()}')
    for options in ({}, {'use_ext_address': False}):
        print('  read', options or 'as it is', ', '.join(data.hex() or 'an empty one' for data in read(message, **options)))
seen = [[data.hex() for data in read(message) if data != message] for message in answers.values()]
assert seen == [[''], ['', 'e2', '']], seen
assert all(read(message, use_ext_address=False) == [message] for message in answers.values())
EOF
python3 -W ignore run.py
