#!/usr/bin/env bash
# Expected: The cars of 1993 that R's package MASS brings, which courses of statistics use, have makes and engines that
#   exist.
# Instead: The Concorde's make is "Chrylser", a make of its own beside Chrysler, so that there are 32 makes for 31
#   real ones. The BMW 535i, a straight six of 3.5 liters, has four cylinders, and so has the LeBaron with 3.0 liters.
# Version: r-cran-mass 7.3-58.2-1 of Debian 12, 29 November 2026.
# Matters because: Means by make or by cylinders, and lists of makes taken from here, keep the errors. The help page
#   names none of them.
# Source: The data itself: no other car in it has four cylinders and more than 2.5 liters.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" r-cran-mass=7.3-58.2-1 > apt.log 2>&1
dpkg-deb -x packages/r-cran-mass_*.deb .
cat > run.py <<'EOF'
import gzip
import struct
import zlib
from pathlib import Path
def read(data):
    """Reads what R's serialize() writes, as far as a data frame needs it."""
    version, = struct.unpack('>i', data[2:6])
    place, symbols = 14 if version == 2 else 18 + int.from_bytes(data[14:18], 'big'), []
    def integers(count, kind='i'):
        nonlocal place
        size = count * (8 if kind == 'd' else 4)
        place += size
        return list(struct.unpack(f'>{count}{kind}', data[place - size:place]))
    def item():
        nonlocal place
        flags, = integers(1)
        kind = flags & 255
        if kind == 254:
            return None
        if kind == 255:
            return symbols[(flags >> 8) - 1]
        if kind == 1:
            symbols.append(item())
            return symbols[-1]
        if kind == 2:
            attributes = item() if flags & 512 else None
            tag, head = item() if flags & 1024 else None, item()
            return {tag: head, **(item() or {})}
        length, = integers(1)
        if kind == 9:
            place += max(length, 0)
            return data[place - length:place].decode() if length >= 0 else None
        value = integers(length, 'd' if kind == 14 else 'i') if kind in (10, 13, 14) else [item() for _ in range(length)]
        attributes = item() if flags & 512 else {}
        if 'levels' in attributes:
            return [attributes['levels'][code - 1] if code > 0 else None for code in value]
        return dict(zip(attributes['names'], value)) if 'names' in attributes else value
    return item()
folder = next(Path('usr').rglob('MASS/data/Rdata.rdb')).parent
start, length = read(gzip.decompress((folder / 'Rdata.rdx').read_bytes()))['variables']['Cars93']
cars = read(zlib.decompress((folder / 'Rdata.rdb').read_bytes()[start + 4:start + length]))
makes = sorted(set(cars['Manufacturer']))
print('MASS 7.3-58.2:', len(cars['Make']), 'cars,', len(makes), 'makes, among them', ', '.join(make for make in makes if make.startswith('Chr')))
odd = [(make, size, cylinders) for make, size, cylinders in zip(cars['Make'], cars['EngineSize'], cars['Cylinders']) if cylinders == '4' and size > 2.5]
for make, size, cylinders in odd:
    print(make, 'has', size, 'liters and', cylinders, 'cylinders')
assert 'Chrylser' in makes and len(makes) == 32
assert odd == [('BMW 535i', 3.5, '4'), ('Chrysler LeBaron', 3.0, '4')]
EOF
python3 run.py
