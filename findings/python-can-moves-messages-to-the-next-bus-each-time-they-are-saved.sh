#!/usr/bin/env bash
# Expected: A recording of the buses of a car that python-can saves in PEAK's format TRC and reads again has each message on
#   the bus that it was on.
# Instead: It writes the number of the bus plus one and reads it as it stands: what was on bus 1 is on bus 2 after one save and
#   on bus 4 after three. In ASC and BLF, which also count from one, the numbers stay.
# Version: python-can 4.5.0, 30 November 2026; format 2.1, which it writes by itself.
# Matters because: The same identifier means the engine on one bus and the doors on another. Who filters by bus, or applies the
#   description of each bus to its messages, gets values of the wrong one, and times and bytes are right.
# Source: A comment where python-can writes the number: 0, with which many of its interfaces begin, is not allowed in the file.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --no-input --target modules python-can==4.5.0 > pip.log 2>&1
cat > run.py <<'EOF'
import sys
sys.path.insert(0, 'modules')
import can
sent = [can.Message(timestamp=1_700_000_000 + number, arbitration_id=0x7e8, is_extended_id=False, data=b'\x03\x41\x0d\x40', channel=channel) for number, channel in enumerate((0, 1, 1))]
print('python-can', can.__version__)
buses = {}
for kind in ('trc', 'asc', 'blf'):
    messages = sent
    buses[kind] = [[message.channel for message in messages]]
    for save in range(3):
        name = f'car-{save}.{kind}'
        with can.Logger(name) as logger:
            for message in messages:
                logger(message)
        messages = list(can.LogReader(name))
        buses[kind].append([message.channel for message in messages])
    print(f'{kind.upper()}, buses of three messages, saved 0 to 3 times:', '; '.join(' '.join(map(str, row)) for row in buses[kind]))
assert buses['trc'] == [[0, 1, 1], [1, 2, 2], [2, 3, 3], [3, 4, 4]]
assert buses['asc'] == buses['blf'] == [[0, 1, 1]] * 4
EOF
python3 run.py
