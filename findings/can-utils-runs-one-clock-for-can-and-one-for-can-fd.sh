#!/usr/bin/env bash
# Expected: A recording of a car's bus whose times are relative, each from the message before, has four messages ten milliseconds
#   apart. Turned into a log of can-utils, they are at 10, 20, 30 and 40 ms.
# Instead: asc2log counts classic messages and those of CAN FD by two clocks, each of which knows the gaps of its own kind alone. Where
#   the kinds take turns, they are at 10, 10, 20 and 20 ms: the recording takes half its time, and an answer stands beside a question
#   that it does not belong to. Recordings with absolute times, and those with one kind of message, are right.
# Version: can-utils 2020.11.0-1 of Debian 12, 30 November 2026.
# Matters because: Cars of today have both kinds on one bus, and diagnoses in classic messages between the others. How soon a part
#   answered, and what came first, cannot be told from such a log, and nothing says so.
# Source: Vector's description of the ASC format, "timestamps relative": the time since the event before. The same messages with
#   absolute times.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download can-utils=2020.11.0-1 > apt.log 2>&1
dpkg-deb -x can-utils_*.deb .
cat > run.py <<'EOF'
import subprocess

CLASSIC = '1  7DF             Tx   d 8 02 01 0C AA AA AA AA AA'
FLEXIBLE = 'CANFD   1 Rx        3E9                                   1 0 9 12 01 02 03 04 05 06 07 08 09 0A 0B 0C   130000  130   303000 0 0 0 0 0'


def read(kind, times, messages):
    with open('car.asc', 'w', encoding='ascii') as file:
        file.write(f'date Mon Nov 30 10:00:00 am 2026\nbase hex  timestamps {kind}\nno internal events logged\n')
        file.writelines(f'   {time:.6f} {message}\n' for time, message in zip(times, messages, strict=True))
    text = subprocess.run(['usr/bin/asc2log', '-I', 'car.asc'], check=True, capture_output=True, text=True).stdout
    seconds = [float(line.split(')')[0][1:]) for line in text.splitlines()]
    shown = [round((second - seconds[0]) * 1000) + 10 for second in seconds]
    kinds = ['CAN' if message is CLASSIC else 'CAN FD' for message in messages]
    print(f'{kind}: ' + ', '.join(f'{name} at {time} ms' for name, time in zip(kinds, shown, strict=True)))
    return shown


print('asc2log of can-utils 2020.11.0-1')
mixed = [CLASSIC, FLEXIBLE, CLASSIC, FLEXIBLE]
assert read('absolute', [0.01, 0.02, 0.03, 0.04], mixed) == [10, 20, 30, 40]
assert read('relative', [0.01] * 4, [CLASSIC] * 4) == [10, 20, 30, 40]
assert read('relative', [0.01] * 4, [FLEXIBLE] * 4) == [10, 20, 30, 40]
assert read('relative', [0.01] * 4, mixed) == [10, 10, 20, 20]
EOF
python3 run.py
