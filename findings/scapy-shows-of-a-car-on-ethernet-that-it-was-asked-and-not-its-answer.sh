#!/usr/bin/env bash
# Expected: A library that decodes DoIP, diagnostics over Ethernet, shows each message that a car sends.
# Instead: scapy shows the first message of each TCP segment. A car confirms the question and answers it at once, so that both
#   often are in one segment: scapy takes the answer, with the VIN, for a part of the confirmation, with TCPSession and in its own
#   stream socket as well. Behind "response pending" the answer is not there at all. tshark shows both. In segments of their own
#   scapy does, too.
# Version: scapy 2.5.0+dfsg-2 and tshark 4.0.17-0+deb12u3 of Debian 12, 30 November 2026.
# Matters because: How messages share segments depends on the car, its load and the network. A program that waits for the VIN
#   waits in vain with one car, and a recording seems to prove that the car never answered.
# Source: ISO 13400-2: each message has its length in its header, and TCP is a stream.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" python3-scapy=2.5.0+dfsg-2 tshark=4.0.17-0+deb12u3 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export PYTHONPATH=$folder/usr/lib/python3/dist-packages LIBRARIES=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
cat > run.py <<'EOF'
import logging
import os
import socket
import subprocess
import warnings
logging.disable(logging.CRITICAL)
warnings.simplefilter('ignore')
import scapy
from scapy.contrib.automotive.doip import DoIP
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from scapy.sendrecv import sniff
from scapy.sessions import TCPSession
from scapy.supersocket import StreamSocket
from scapy.utils import wrpcap
def message(kind, payload):
    return bytes.fromhex('02fd') + kind.to_bytes(2, 'big') + len(payload).to_bytes(4, 'big') + payload
car_to_tester = bytes.fromhex('00e80e80')
confirmed = message(0x8002, car_to_tester + b'\0')
pending = message(0x8001, car_to_tester + bytes.fromhex('7f2278'))
answer = message(0x8001, car_to_tester + bytes.fromhex('62f190') + b'WVWZZZ1KZ9W123456')
def read(*segments):
    """Gives the kinds of messages that scapy shows, without and with its session for TCP, and those that tshark shows."""
    packets, place = [], 1
    for segment in segments:
        packets.append(Ether() / IP(src='127.0.0.2', dst='127.0.0.1') / TCP(sport=13400, dport=50000, flags='PA', seq=place) / Raw(segment))
        place += len(segment)
    wrpcap('car.pcap', packets)
    shown = []
    for options in ({}, {'session': TCPSession}):
        kinds = []
        for packet in sniff(offline='car.pcap', **options):
            while packet:
                kinds += [f'{packet.payload_type:04x}'] if isinstance(packet, DoIP) else []
                packet = packet.payload
        shown.append(kinds)
    environment = {**os.environ, 'LD_LIBRARY_PATH': os.environ['LIBRARIES']}
    arguments = ['usr/bin/tshark', '-r', 'car.pcap', '-T', 'fields', '-e', 'doip.type']
    text = subprocess.run(arguments, check=True, capture_output=True, text=True, env=environment).stdout
    return *shown, [kind.removeprefix('0x') for kind in text.replace(',', ' ').split()]
def receive(sent):
    """Gives the kinds of messages that scapy's socket for streams receives from a car that sends once and hangs up."""
    car, tester = socket.socketpair()
    car.sendall(sent)
    car.close()
    stream, kinds = StreamSocket(tester, DoIP), []
    while packet := stream.recv():
        kinds.append(f'{packet.payload_type:04x}')
    return kinds
print('scapy', scapy.__version__, '(8001 is an answer, 8002 a confirmation)')
cases = {'confirmed and answered, two segments': (confirmed, answer), 'the same, one segment': (confirmed + answer,), 'pending and answered, one segment': (pending + answer,)}
seen = []
for name, segments in cases.items():
    seen.append(read(*segments))
    print(f'{name}: scapy {" ".join(seen[-1][0])}, with TCPSession {" ".join(seen[-1][1])}, tshark {" ".join(seen[-1][2])}')
both = ['8002', '8001']
received = receive(confirmed + answer), receive(pending + answer)
print('in one segment, StreamSocket:', *received)
assert received == (['8002'], ['8001'])
assert seen == [(both, both, both), (['8002'], ['8002'], both), (['8001'], ['8001'], ['8001', '8001'])]
EOF
python3 run.py
