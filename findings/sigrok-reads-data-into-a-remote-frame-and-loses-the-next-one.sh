#!/usr/bin/env bash
# Expected: A decoder of CAN knows that a remote frame, which asks for data, holds none, whatever length it names.
# Instead: sigrok's decoder takes the bits behind it for data. A remote frame of length 8 gets eight bytes that nobody
#   sent, made of its checksum and the pause, and where the next frame follows soon, its bits as well: the answer with
#   the VIN is not shown, and a frame with an identifier that is not on the bus stands there.
# Version: sigrok-cli 0.7.2, libsigrokdecode 0.5.3-4 of Debian 12, 29 November 2026.
# Matters because: Remote frames are rare in cars, but CANopen, which bodies of refuse trucks and cranes speak, guards
#   its nodes with them. The decoder itself calls the frame a remote frame, in the line before the bytes.
# Source: ISO 11898-1: a remote frame has no data field, and its length is that of the data asked for.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" sigrok-cli=0.7.2-1+b1 libsigrok4=0.5.2-4 libsigrokdecode4=0.5.3-4 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
export SIGROKDECODE_DIR=$folder/usr/share/libsigrokdecode/decoders
cat > run.py <<'EOF'
import re
import subprocess
def bits(value, length):
    return [value >> place & 1 for place in reversed(range(length))]
def checksum(sent):
    value = 0
    for bit in sent:
        value = (value << 1 ^ (0x4599 if bit ^ value >> 14 else 0)) & 0x7fff
    return value
def frame(identifier, data, asked=None):
    length = len(data) if asked is None else asked
    sent = [0] + bits(identifier, 11) + [int(asked is not None), 0, 0] + bits(length, 4) + [bit for byte in data for bit in bits(byte, 8)]
    stuffed = []
    for bit in sent + bits(checksum(sent), 15):
        stuffed.append(bit)
        if len(stuffed) > 4 and len(set(stuffed[-5:])) == 1:
            stuffed.append(1 - bit)
    return stuffed + [1, 0, 1] + [1] * 7 + [1] * 40
def read(sent):
    """Gives what sigrok shows of a bus with 500 kbit/s, sampled at 10 MHz."""
    with open('bus.bin', 'wb') as file:
        file.write(bytes(bit for bit in [1] * 40 + sent + [1] * 200 for _ in range(20)))
    arguments = ['-i', 'bus.bin', '-I', 'binary:numchannels=8:samplerate=10000000', '-P', 'can:can_rx=0:nominal_bitrate=500000', '-A', 'can=data:id:rtr:warnings']
    shown = subprocess.run(['usr/bin/sigrok-cli', *arguments], check=True, capture_output=True, text=True).stdout
    return [line.removeprefix('can-1: ') for line in shown.splitlines()]
print(subprocess.run(['usr/bin/sigrok-cli', '--version'], check=True, capture_output=True, text=True).stdout.split('\n')[0])
answer = frame(0x7e8, bytes.fromhex('1014490201') + b'WVJ')
def show(what, sent):
    lines = read(sent)
    identifiers = re.findall(r'Identifier: \d+ \(0x(\w+)\)', '\n'.join(lines))
    count = sum(line.startswith('Data byte') for line in lines)
    print(f'{what}: identifiers {", ".join(identifiers)}, {count} bytes of data')
    return identifiers, count
alone = show('an answer alone (7e8, 8 bytes)', answer)
remote = show('a remote frame alone (123, none)', frame(0x123, b'', 8))
both = show('a remote frame and an answer (123, 7e8, 8 bytes)', frame(0x123, b'', 8) + answer)
assert alone == (['7e8'], 8) and remote == (['123'], 8) and '7e8' not in both[0]
EOF
python3 run.py
