import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

import type * as rolldown from 'rolldown/utils';

/** Marks a process that has these hooks already. */
const LOADED = Symbol.for('marque.load-sources');

/** A source of ours as another one imports it. */
const BY_PATH = /^\.\.?\/.*\.tsx?$/;

const require = createRequire(import.meta.url);

/** Compiles a page to a module without JSX. Its lines stay where they are, for stack traces. */
function compiled(file: string): string {
  // Most workers load no page: they need not load the compiler.
  const { transformSync }: typeof rolldown = require('rolldown/utils');
  const jsx = { runtime: 'automatic', importSource: 'preact' } as const;
  const { code, errors, map } = transformSync(file, readFileSync(file, 'utf8'), { lang: 'tsx', jsx, sourcemap: true });
  const [fault] = errors;
  if (fault !== undefined) throw new SyntaxError(`${file}: ${fault.message}`);
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
}

// Node strips types by itself, but compiles no JSX. A worker runs this before each of its test files.
if (!Reflect.has(globalThis, LOADED)) {
  Reflect.set(globalThis, LOADED, true);
  registerHooks({
    // Vitest reports every import to its main process, for a graph that only its watch mode needs. A service imports
    // its parts at each start: about 7 % of the time of such tests went into that. So imports that need no search are
    // not left to Vitest.
    resolve(specifier, context, nextResolve) {
      const { parentURL } = context;
      if (process.env['VITEST_MODE'] === 'WATCH' || parentURL === undefined) return nextResolve(specifier, context);
      if (specifier.startsWith('node:')) return { url: specifier, format: 'builtin', shortCircuit: true };
      if (BY_PATH.test(specifier)) return { url: new URL(specifier, parentURL).href, shortCircuit: true };
      return nextResolve(specifier, context);
    },
    load(url, context, nextLoad) {
      const [path = url] = url.split('?');
      if (!path.endsWith('.tsx')) return nextLoad(url, context);
      return { format: 'module', source: compiled(fileURLToPath(path)), shortCircuit: true };
    },
  });
}
