#!/usr/bin/env bash
# Expected: A log of a control unit says itself in which order the bytes of its numbers stand (AUTOSAR DLT, the bit MSBF). Turned into
#   text, the identifier of the VIN, F190, is 0xf190 in both orders.
# Instead: dlt-convert shows 0x90f1 where the most significant byte comes first, as control units with PowerPC processors log. It heeds
#   the order for decimal numbers only; the bytes of hexadecimal and binary ones come out swapped. The same number logged as a
#   decimal one is right: 61840.
# Version: dlt-tools 2.18.8-6 and tshark 4.0.17-0+deb12u3 of Debian 12, 30 November 2026. tshark reads both orders right.
# Matters because: What is logged as hexadecimal numbers is identifiers, trouble codes, status bits and addresses. The trouble code 0301,
#   a misfire of cylinder 1, reads as 0103, a mass air flow sensor: the wrong part is replaced.
# Source: AUTOSAR, Log and Trace Protocol Specification (PRS), header: MSBF tells the byte order of the payload; the coding of an unsigned
#   number as hexadecimal or binary tells only how it shall be shown.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" dlt-tools=2.18.8-6 tshark=4.0.17-0+deb12u3 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > run.py <<'PY'
import struct
import subprocess

UNSIGNED_16, HEXADECIMAL, BINARY = 0x42, 0x10000, 0x18000
numbers = {'VIN, hexadecimal': (0xF190, HEXADECIMAL), 'cylinder 1, hexadecimal': (0x0301, HEXADECIMAL), 'bit 0, binary': (1, BINARY), 'VIN, decimal': (0xF190, 0)}


def message(order, number, coding):
    # Standard header with ECU and timestamp (and the byte order), extended header: a verbose log message with one argument.
    argument = struct.pack(f'{order}IH', UNSIGNED_16 | coding, number)
    header = struct.pack('>BBH4sI', 0x37 if order == '>' else 0x35, 0, 22 + len(argument), b'ECU1', 10_000)
    return header + struct.pack('BB4s4s', 0x41, 1, b'APP1', b'CTX1') + argument


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def dlt_convert(messages):
    with open('car.dlt', 'wb') as file:
        for each in messages:
            file.write(b'DLT\x01' + struct.pack('<Ii4s', 1_796_032_800, 0, b'ECU1') + each)
    return [line[line.index('[') + 1 : line.index(']')] for line in run('usr/bin/dlt-convert', '-a', 'car.dlt')]


def tshark(messages):
    with open('car.pcap', 'wb') as file:
        file.write(struct.pack('<IHHiIII', 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101))
        for each in messages:
            datagram = struct.pack('>HHHH', 3490, 3490, 8 + len(each), 0) + each
            packet = struct.pack('>BBHHHBBH4s4s', 0x45, 0, 20 + len(datagram), 0, 0, 64, 17, 0, b'\xc0\0\2\1', b'\xc0\0\2\2') + datagram
            file.write(struct.pack('<IIII', 1_780_000_000, 0, len(packet), len(packet)) + packet)
    return [line for line in run('usr/bin/tshark', '-r', 'car.pcap', '-d', 'udp.port==3490,dlt', '-T', 'fields', '-e', 'dlt.data.uint16')]


print('dlt-tools 2.18.8, tshark 4.0.17')
shown = {}
for name, order in (('least significant byte first', '<'), ('most significant byte first', '>')):
    messages = [message(order, number, coding) for number, coding in numbers.values()]
    shown[order] = dlt_convert(messages), tshark(messages)
    for meant, ours, theirs in zip(numbers, *shown[order], strict=True):
        print(f'{name}, {meant}: dlt-convert {ours}, tshark {theirs}')
assert shown['<'][0] == ['0xf190', '0x0301', '0b0000 0000 0000 0001', '61840'], shown
assert shown['>'][0] == ['0x90f1', '0x0103', '0b0000 0001 0000 0000', '61840'], shown
assert shown['<'][1] == shown['>'][1], shown
PY
python3 run.py
