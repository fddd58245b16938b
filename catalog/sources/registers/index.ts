import { astra } from './astra.ts';
import { cvs } from './cvs.ts';
import { eea } from './eea.ts';
import { rdw } from './rdw.ts';
import type { Register } from './register.ts';
import { traficom } from './traficom.ts';

/** The registers that an operator may import, by the word for them. */
export const REGISTERS = { astra, traficom, eea, rdw, cvs } as const satisfies Record<string, Register>;

export type RegisterName = keyof typeof REGISTERS;
