#!/usr/bin/env bash
# Expected: VINs of a generator have no I, O or Q, which ISO 3779 leaves out so that nobody takes them for 1 and 0.
# Instead: Half of those of ruby-faker have one of the three, and of the others one in twenty has a right check digit: the
#   first twelve characters, the check digit among them, are drawn from the whole alphabet.
# Version: ruby-faker 2.21.0-1 of Debian 12, 29 November 2026.
# Matters because: A decoder that is tested with them refuses each second car, or is loosened until it accepts them.
# Source: ISO 3779; 49 CFR 565.15(c) for the check digit.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial
apt-get install --yes -o DPkg::Lock::Timeout=120 --no-install-recommends --download-only -o Dir::Cache::archives="$folder/packages" ruby3.1 ruby-faker=2.21.0-1 > apt.log 2>&1
for package in packages/*.deb; do dpkg-deb -x "$package" .; done
export LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu
gems=$folder/usr/share/rubygems-integration/all/gems
RUBYLIB=$folder/usr/lib/ruby/vendor_ruby:$folder/usr/lib/ruby/3.1.0:$folder/usr/lib/x86_64-linux-gnu/ruby/3.1.0
for library in "$gems"/*/lib "$gems"/concurrent-ruby-*/lib/concurrent-ruby; do RUBYLIB+=:$library; done
export RUBYLIB
cat > run.rb <<'EOF'
require 'faker'
WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
VALUES = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ'.chars.zip([*0..9, *1..8, *1..5, 7, 9, *2..9]).to_h
Faker::Config.random = Random.new(1)
vins = Array.new(5_000) { Faker::Vehicle.vin }
allowed = vins.grep_v(/[IOQ]/)
right = allowed.count { |vin| '0123456789X'[vin.chars.each_with_index.sum { |c, at| VALUES[c] * WEIGHTS[at] } % 11] == vin[8] }
puts "of 5,000 VINs of faker #{Faker::VERSION} (Ruby) #{5_000 - allowed.size} have I, O or Q; of the others #{right} have a right check digit"
exit 1 unless vins.all? { |vin| vin.size == 17 } && (2_000..3_000).cover?(5_000 - allowed.size) && right < 400
EOF
usr/bin/ruby3.1 --disable-gems run.rb
