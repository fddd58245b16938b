#!/usr/bin/env bash
# Expected: The highest speed that a library for GPX files gives for a drive is the highest one that its positions show.
# Instead: gpxpy leaves out, by itself, each step whose length is more than 1.5 standard deviations from the mean, and then the
#   fastest twentieth of the rest. A car that drives five minutes with 100 km/h, half a minute of it with 160, has a highest
#   speed of 100 km/h, and one that speeds up evenly from 0 to 198 has 180. With raw=True both are right.
# Version: python3-gpxpy 1.5.0-1 of Debian 12, 30 November 2026.
# Matters because: The value is read as proof of how a vehicle was driven, by insurers, owners of rented cars and employers. It
#   depends on the rest of the drive: the longer it was, the longer one may speed, and nothing says that seconds are missing.
# Source: The description of max_speed in gpxpy: maximum speed during the track. The comments in its source tell why.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only --reinstall -o Dir::Cache::archives="$folder/packages" python3-gpxpy=1.5.0-1 > apt.log 2>&1
dpkg-deb -x packages/python3-gpxpy_*.deb .
export PYTHONPATH=$folder/usr/lib/python3/dist-packages
cat > run.py <<'EOF'
import datetime
import gpxpy.gpx
def highest(speeds, raw):
    """Gives the highest speed, in km/h, of a drive with one speed each second."""
    segment = gpxpy.gpx.GPXTrackSegment()
    time, latitude = datetime.datetime(2026, 6, 30, 12, tzinfo=datetime.timezone.utc), 52.0
    for second, speed in enumerate([0, *speeds]):
        latitude += speed / 3.6 / 111_320
        segment.points.append(gpxpy.gpx.GPXTrackPoint(latitude, 13, time=time + datetime.timedelta(seconds=second)))
    return round(segment.get_moving_data(raw=raw).max_speed * 3.6)
drives = {
    'five minutes with 100 km/h': [100] * 300,
    'the same, half a minute of it with 160': [100] * 135 + [160] * 30 + [100] * 135,
    'from 0 to 198 km/h in 66 seconds': list(range(3, 201, 3)),
}
print('gpxpy 1.5.0, highest speed in km/h')
shown = []
for name, speeds in drives.items():
    shown.append((highest(speeds, False), highest(speeds, True)))
    print(f'{name}: {shown[-1][0]}, raw {shown[-1][1]}')
assert shown == [(100, 100), (100, 160), (180, 198)]
EOF
python3 run.py
