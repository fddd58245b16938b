#!/usr/bin/env bash
# Expected: Programs that read recordings of candump read those that asc2log of can-utils and python-can write in that format.
# Instead: Both write an R or T behind each frame, for received or sent. tshark then says that the file is no capture file, and
#   scapy ends with an error that names values to unpack. With the letters taken off, both read it.
# Version: tshark 4.0.17-0+deb12u3, scapy 2.5.0+dfsg-2 and can-utils 2020.11.0-1 of Debian 12, python-can 4.5.0, 30 November
#   2026.
# Matters because: The way from Vector's format ASC, in which workshops keep the recording with the VIN, to Wireshark leads
#   through this format. The message sends one looking for a damaged file: sed 's/ [RT]$//' is what helps.
# Source: can-utils, lib.h and asc2log.c, for the letters.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" tshark=4.0.17-0+deb12u3 can-utils=2020.11.0-1 python3-scapy=2.5.0+dfsg-2 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
python3 -m pip install --quiet --no-input --target modules python-can==4.5.0 > pip.log 2>&1
export LIBRARIES=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > car.asc <<'EOF'
date Mon Jan 15 02:00:00.000 pm 2024
base hex  timestamps absolute
no internal events logged
   0.100000 1  7DF             Tx   d 8 02 09 02 00 00 00 00 00
   0.110000 1  7E8             Rx   d 8 10 14 49 02 01 31 48 47
EOF
cat > run.py <<'EOF'
import logging
import os
import subprocess
import sys
import warnings
logging.disable(logging.CRITICAL)
warnings.simplefilter('ignore')
sys.path[1:1] = ['modules', 'usr/lib/python3/dist-packages']
import can
import scapy
from scapy.layers.can import rdcandump
with open('asc2log.log', 'w', encoding='ascii') as file:
    subprocess.run(['usr/bin/asc2log', '-I', 'car.asc'], check=True, stdout=file, stderr=subprocess.DEVNULL)
with can.CanutilsLogWriter('python-can.log') as writer:
    for message in can.LogReader('car.asc'):
        writer(message)
def tshark(name):
    environment = {**os.environ, 'LD_LIBRARY_PATH': os.environ['LIBRARIES']}
    shown = subprocess.run(['usr/bin/tshark', '-r', name, '-T', 'fields', '-e', 'can.id'], capture_output=True, text=True, env=environment, check=False)
    return f'{len(shown.stdout.split())} frames' if shown.returncode == 0 else shown.stderr.strip().split('\n')[-1].split('"')[-1].strip()
def read(name):
    try:
        return f'{len(rdcandump(name))} frames'
    except ValueError as error:
        return str(error)
seen = []
print('python-can', can.__version__, 'and scapy', scapy.__version__)
for name in ('asc2log', 'python-can'):
    with open(f'{name}.log', encoding='ascii') as file:
        text = file.read()
    with open(f'{name}-plain.log', 'w', encoding='ascii') as file:
        file.write(''.join(line.removesuffix(' R').removesuffix(' T') + '\n' for line in text.splitlines()))
    print(f'{name} writes', text.splitlines()[-1])
    for kind in (name, f'{name}-plain'):
        seen.append((tshark(f'{kind}.log'), read(f'{kind}.log')))
        print(f'  {kind}.log: tshark {seen[-1][0]}, scapy {seen[-1][1]}')
refused = ("isn't a capture file in a format TShark understands.", 'too many values to unpack (expected 3)')
assert seen == [refused, ('2 frames', '2 frames')] * 2, seen
EOF
python3 run.py
