import { writeFileSync } from 'node:fs';

import { printSources } from './print.ts';
import { SOURCES_PAGE, sourceLists } from './sources.ts';

/** `npm run sources`: writes docs/sources.md. */
writeFileSync(SOURCES_PAGE, printSources(sourceLists()));
