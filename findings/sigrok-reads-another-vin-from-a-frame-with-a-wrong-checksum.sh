#!/usr/bin/env bash
# Expected: A decoder of CAN that shows the checksum of each frame says so where it does not fit, since every controller
#   throws such a frame away.
# Instead: sigrok's decoder shows the data without a warning. One bit is flipped in the answer that begins a VIN: WVJ
#   becomes WVH, with the checksum of WVJ.
# Version: sigrok-cli 0.7.2, libsigrokdecode 0.5.3-4 of Debian 12, 29 November 2026.
# Matters because: A logic analyzer is what one connects where a bus makes errors. The VIN shown is one that no
#   controller received, and the sender's repetition stands beside it with another.
# Source: ISO 11898-1: a receiver that computes another checksum signals an error. In the decoder's own file the check
#   is marked as still to be done.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" sigrok-cli=0.7.2-1+b1 libsigrok4=0.5.2-4 libsigrokdecode4=0.5.3-4 > apt.log 2>&1
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
def frame(identifier, data, flipped=None):
    sent = [0] + bits(identifier, 11) + [0, 0, 0] + bits(len(data), 4) + [bit for byte in data for bit in bits(byte, 8)]
    check = bits(checksum(sent), 15)
    if flipped is not None:
        sent[19 + flipped] ^= 1
    stuffed = []
    for bit in sent + check:
        stuffed.append(bit)
        if len(stuffed) > 4 and len(set(stuffed[-5:])) == 1:
            stuffed.append(1 - bit)
    return stuffed + [1, 0, 1] + [1] * 7
def read(sent):
    """Gives what sigrok shows of a bus with 500 kbit/s, sampled at 10 MHz."""
    with open('bus.bin', 'wb') as file:
        file.write(bytes(bit for bit in [1] * 40 + sent + [1] * 200 for _ in range(20)))
    arguments = ['-i', 'bus.bin', '-I', 'binary:numchannels=8:samplerate=10000000', '-P', 'can:can_rx=0:nominal_bitrate=500000', '-A', 'can=data:id:rtr:warnings']
    shown = subprocess.run(['usr/bin/sigrok-cli', *arguments], check=True, capture_output=True, text=True).stdout
    return [line.removeprefix('can-1: ') for line in shown.splitlines()]
print(subprocess.run(['usr/bin/sigrok-cli', '--version'], check=True, capture_output=True, text=True).stdout.split('\n')[0])
start = bytes.fromhex('1014490201') + b'WVJ'
results = []
for what, sent in ('right', frame(0x7e8, start)), ('with one bit flipped', frame(0x7e8, start, 62)):
    lines = read(sent)
    data = bytes(int(byte, 16) for line in lines for byte in re.findall(r'^Data byte \d: 0x(..)', line))
    warnings = [line for line in lines if not re.match('Data byte|Identifier|Remote', line)]
    print(f'a frame {what}: {data[5:].decode()}, warnings: {len(warnings)}')
    results.append((data[5:], warnings))
assert results == [(b'WVJ', []), (b'WVH', [])]
EOF
python3 run.py
