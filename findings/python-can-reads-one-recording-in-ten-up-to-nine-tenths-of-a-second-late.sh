#!/usr/bin/env bash
# Expected: A recording of a car's bus that python-can writes in Vector's format ASC has, read again with the time of
#   day, the times of its messages to the millisecond, as it does in the binary format BLF.
# Instead: The head of the file has the time of the first message, and its milliseconds are written without leading
#   zeros: 7 milliseconds as .7, which is read as 700. A recording that begins within the first 99 milliseconds of a
#   second, one in ten, comes back late by nine times these milliseconds, with each of its messages.
# Version: python-can 4.5.0, 29 November 2026; its source of March 2026 writes them in the same way.
# Matters because: Two recordings of one car, or the answer with its VIN and the request for it, no longer fit each
#   other or the log of a workshop. The difference depends on the start, so that a test with another start misses it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --no-input --target packages python-can==4.5.0 > pip.log 2>&1
export PYTHONPATH=$folder/packages TZ=UTC
cat > run.py <<'EOF'
import can
second = 1764432000
def late(kind, milliseconds):
    # The three messages in which a car answers with its VIN, ten milliseconds after each other.
    data = ['1014490201575657', '215a5a5a314b5a39', '2257303030303030']
    with can.Logger(f'car.{kind}') as log:
        for place, part in enumerate(data):
            log.on_message_received(can.Message(timestamp=second + (milliseconds + 10 * place) / 1000, arbitration_id=0x7E8, is_extended_id=False, data=bytes.fromhex(part), channel=0))
    options = {'relative_timestamp': False} if kind == 'asc' else {}
    with can.LogReader(f'car.{kind}', **options) as log:
        messages = list(log)
    assert len(messages) == 3 and all(bytes(message.data).hex() == part for message, part in zip(messages, data))
    shifts = {round((message.timestamp - second) * 1000) - milliseconds - 10 * place for place, message in enumerate(messages)}
    assert len(shifts) == 1
    return shifts.pop()
print(f'python-can {can.__version__}: a recording that begins 7 milliseconds after a second')
late('asc', 7)
with open('car.asc') as file:
    print(next(line for line in file if line.startswith('Begin Triggerblock')).strip())
found = {kind: [late(kind, milliseconds) for milliseconds in range(1000)] for kind in ('asc', 'blf')}
for kind, shifts in found.items():
    print(f'{kind.upper()}: of 1000 starts {sum(shift != 0 for shift in shifts)} come back late, that of 7 milliseconds by {shifts[7]}, the latest by {max(shifts)} milliseconds')
right = found['blf'] == [0] * 1000 and found['asc'] == [int(str(start).ljust(3, '0')) - start for start in range(1000)]
raise SystemExit(0 if right else 1)
EOF
python3 run.py
