#!/usr/bin/env bash
# Expected: A recording of a car's bus in Vector's format ASC whose head says "timestamps relative" has in each line the time
#   since the line before, and a reader adds them up.
# Instead: python-can reads the word and does not use it: each time counts from the start of the recording. Messages of 1.14
#   seconds lie at 0.1, 0.01, 0.01, 0.02 and 1 second, so that the answer with the VIN comes before the question. asc2log of
#   can-utils adds them up.
# Version: python-can 4.5.0; can-utils 2020.11.0-1 of Debian 12; 30 November 2026.
# Matters because: Whether times are relative is set in the recording program, and most files say absolute. Recordings of
#   two workshops mix where they are sorted by time, and nothing tells that the order is another one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" can-utils=2020.11.0-1 > apt.log 2>&1
dpkg-deb -x packages/can-utils_*.deb .
python3 -m pip install --quiet --no-input --target modules python-can==4.5.0 > pip.log 2>&1
cat > head.txt <<'EOF'
date Mon Jan 15 02:00:00.000 pm 2024
base hex  timestamps relative
internal events logged
Begin Triggerblock Mon Jan 15 02:00:00.000 pm 2024
   0.000000 Start of measurement
EOF
cat > messages.txt <<'EOF'
   0.100000 1  7DF             Tx   d 8 02 09 02 00 00 00 00 00
   0.010000 1  7E8             Rx   d 8 10 14 49 02 01 31 48 47
   0.010000 1  7E0             Tx   d 8 30 00 00 00 00 00 00 00
   0.020000 1  7E8             Rx   d 8 21 43 4D 38 32 36 33 33
   1.000000 1  7E8             Rx   d 8 22 41 30 30 34 33 35 32
End TriggerBlock
EOF
cat head.txt messages.txt > relative.asc
cat > run.py <<'EOF'
import re
import subprocess
import sys
sys.path.insert(0, 'modules')
import can
times = [round(message.timestamp, 6) for message in can.LogReader('relative.asc')]
lines = subprocess.run(['usr/bin/asc2log', '-I', 'relative.asc'], check=True, capture_output=True, text=True).stdout
seconds = [float(time) for time in re.findall(r'\((\d+\.\d+)\)', lines)]
added = [round(second - seconds[0] + 0.1, 2) for second in seconds]
print(f'python-can {can.__version__} reads messages at', *times)
print('asc2log of can-utils reads messages at', *added)
assert times == [0.1, 0.01, 0.01, 0.02, 1] and added == [0.1, 0.11, 0.12, 0.14, 1.14]
EOF
python3 run.py
