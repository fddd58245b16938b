#!/usr/bin/env bash
# Expected: A library for GPX files that tells how long a vehicle moved and how long it stood finds a stop of ten minutes.
# Instead: gpxpy counts a second as standing only if the vehicle has moved in it, by less than 1 km/h. Where the position does
#   not change at all it counts the second neither as standing nor as moving: the stop has taken no time. With 10 centimeters
#   of noise in the positions it is found.
# Version: python3-gpxpy 1.5.0-1 of Debian 12, 30 November 2026; 1.6.2 has the same lines.
# Matters because: Trackers of vehicles hold the position while the ignition is off, so that a parked car does not wander on the
#   map. Waiting times, breaks and standing charges of these vehicles are zero, and those of others in the fleet are right.
# Source: The description of stopped_time in gpxpy: time of the track in which no movement was occurring.
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
def drive(noise):
    """Gives a drive of a minute, a stop of ten minutes and another minute, with a position each second."""
    segment = gpxpy.gpx.GPXTrackSegment()
    time, latitude = datetime.datetime(2026, 6, 30, 12, tzinfo=datetime.timezone.utc), 52.0
    for second, speed in enumerate([0] + [50] * 60 + [0] * 600 + [50] * 60):
        latitude += speed / 3.6 / 111_320
        shift = noise / 111_320 if second % 2 else 0
        segment.points.append(gpxpy.gpx.GPXTrackPoint(latitude + shift, 13, time=time + datetime.timedelta(seconds=second)))
    return segment.get_moving_data()
print('gpxpy 1.5.0, a drive of two minutes with a stop of ten between them:')
found = {}
for noise in (0, 0.1):
    data = drive(noise)
    found[noise] = data.moving_time, data.stopped_time
    print(f'positions with {noise:g} m of noise: moved {data.moving_time:g} s, stood {data.stopped_time:g} s')
assert found == {0: (120, 0), 0.1: (120, 600)}
EOF
python3 run.py
