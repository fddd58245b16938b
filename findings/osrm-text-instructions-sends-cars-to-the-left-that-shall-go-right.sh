#!/usr/bin/env bash
# Expected: The library that says the turns of OSRM and of Mapbox in 31 languages says right for right in each of them.
# Instead: In Spanish (es and es-ES) a road that continues slightly to the right is a turn to the left. In Arabic each slight turn to
#   the right is a slight turn to the left. In Hungarian a sharp right towards a destination is a sharp left. In Chinese a
#   destination ahead on the left is on the right, and the other way around. English and the other forms of the same turns are right.
# Version: osrm-text-instructions 0.15.0, 30 November 2026.
# Matters because: A driver hears the sentence and does not see the step behind it. leaflet-routing-machine takes its sentences from
#   here, so web maps for fleets do as well; a wrong turn of a truck is not soon undone.
# Source: OSRM's HTTP API, step maneuver: the modifier is the direction change, "slight right" a slight turn to the right. The same
#   library's English texts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund osrm-text-instructions@0.15.0 > npm.log 2>&1
cat > run.cjs <<'EOF'
const instructions = require('osrm-text-instructions')('v5');
const { version } = require('osrm-text-instructions/package.json');
const sides = {
  es: { left: 'izquierda', right: 'derecha' },
  'es-ES': { left: 'izquierda', right: 'derecha' },
  ar: { left: 'يسار', right: 'يمين' },
  hu: { left: 'balra', right: 'jobbra' },
  'zh-Hans': { left: '左', right: '右' },
  de: { left: 'links', right: 'rechts' },
  fr: { left: 'gauche', right: 'droite' },
};
function say(language, type, modifier, destinations) {
  const step = { name: '', mode: 'driving', driving_side: 'right', maneuver: { type, modifier, bearing_after: 40 }, destinations };
  const text = instructions.compile(language, step).trim();
  const [side] = Object.entries(sides[language]).find(([, word]) => text.includes(word)) ?? ['neither'];
  console.log(`${language.padEnd(7)} ${type}, ${modifier}${destinations ? `, towards ${destinations}` : ''}: "${text}", which is ${side}`);
  return modifier.endsWith(side);
}
console.log('osrm-text-instructions', version);
const wrong = [
  say('es', 'continue', 'slight right'),
  say('es', 'continue', 'slight right', 'Madrid'),
  say('es-ES', 'continue', 'slight right'),
  say('ar', 'turn', 'slight right'),
  say('ar', 'end of road', 'slight right'),
  say('hu', 'continue', 'sharp right', 'Budapest'),
  say('zh-Hans', 'arrive', 'slight left'),
  say('zh-Hans', 'arrive', 'slight right'),
];
const right = [
  say('es', 'continue', 'slight left'),
  say('es', 'turn', 'slight right'),
  say('ar', 'turn', 'slight left'),
  say('ar', 'continue', 'slight right'),
  say('hu', 'continue', 'sharp right'),
  say('zh-Hans', 'arrive', 'left'),
  say('de', 'continue', 'slight right'),
  say('fr', 'continue', 'slight right', 'Paris'),
];
process.exit(wrong.includes(true) || right.includes(false) ? 1 : 0);
EOF
node run.cjs
