#!/usr/bin/env bash
# Expected: A decoder of LIN, the bus of window lifters, mirrors and seats, shows an answer that comes within the time that
#   LIN gives a part for it, 40 percent more than the bits take.
# Instead: sigrok's decoder takes a pause of 25 bits between the question and the answer for the end of the frame: it shows
#   the identifier, and each byte of the answer as an error. With a pause of 20 bits it shows the answer. 36 bits are allowed
#   where the answer has eight bytes.
# Version: sigrok-cli 0.7.2, libsigrokdecode 0.5.3-4 of Debian 12, 30 November 2026.
# Matters because: A part that has to look up what it is asked for, such as its serial number, answers late, and seems not to
#   speak LIN at all. Serial numbers of parts are what a workshop joins with the VIN.
# Source: LIN 2.1, protocol specification (an answer takes at most 1.4 times its nominal time) and node configuration
#   (service B2, read by identifier, answers with F2; identifier 1 is the serial number).
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
def byte(value):
    return [0] + [value >> place & 1 for place in range(8)] + [1]
def frame(identifier, data, pause):
    """Gives the bits of a break, a sync byte, a protected identifier, a pause, and an answer with its classic checksum."""
    total = 0
    for value in data:
        total += value
        total -= 255 if total > 255 else 0
    answer = [bit for value in [*data, 255 - total] for bit in byte(value)]
    return [0] * 13 + [1] + byte(0x55) + byte(identifier) + [1] * pause + answer
def read(sent):
    """Gives what sigrok shows of a bus with 19,200 bit/s, sampled twenty times a bit."""
    with open('bus.bin', 'wb') as file:
        file.write(bytes(bit for bit in [1] * 40 + sent + [1] * 100 for _ in range(20)))
    arguments = ['-i', 'bus.bin', '-I', 'binary:numchannels=8:samplerate=384000', '-P', 'uart:rx=0:baudrate=19200,lin', '-A', 'lin']
    return subprocess.run(['usr/bin/sigrok-cli', *arguments], check=True, capture_output=True, text=True).stdout
print(subprocess.run(['usr/bin/sigrok-cli', '--version'], check=True, capture_output=True, text=True).stdout.split('\n')[0])
answer = bytes.fromhex('4a05f212345678ff')
shown = {}
for pause in (0, 20, 25, 35):
    took = (pause + 90) / 90
    text = read(frame(0x7d, answer, pause))
    data = bytes(int(value, 16) for value in re.findall(r'Data: 0x(\w\w)', text))
    shown[pause] = data == answer, text.count('Error'), 'ID: 3D' in text
    print(f'pause of {pause} bits, {took:.2f} times the answer: data {data.hex() or "none"}, {shown[pause][1]} errors')
    assert took <= 1.4
assert shown[0] == shown[20] == (True, 0, True)
assert all(not same and errors >= 9 and identifier for same, errors, identifier in (shown[25], shown[35]))
EOF
python3 run.py
