import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

import type * as rolldown from 'rolldown/utils';

/** Marks a process that loads pages already. */
const LOADED = Symbol.for('marque.load-tsx');

const require = createRequire(import.meta.url);

/** The page as a module, with what its JSX stands for. Its lines stay where they are, for stack traces. */
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
    load(url, context, nextLoad) {
      const [path = url] = url.split('?');
      if (!path.endsWith('.tsx')) return nextLoad(url, context);
      return { format: 'module', source: compiled(fileURLToPath(path)), shortCircuit: true };
    },
  });
}
