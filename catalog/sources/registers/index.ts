import { astra } from './astra.ts';
import { czech } from './czech.ts';
import { cvs } from './cvs.ts';
import { denmark } from './denmark.ts';
import { dvsa } from './dvsa.ts';
import { eea } from './eea.ts';
import { newzealand } from './newzealand.ts';
import { norway } from './norway.ts';
import { rdw } from './rdw.ts';
import type { Register } from './register.ts';
import { slovenia } from './slovenia.ts';
import { spain } from './spain.ts';
import { traficom } from './traficom.ts';
import { ukraine } from './ukraine.ts';

/** The registers that an operator may import and that are compiled into the catalog, by the word for them. */
export const REGISTERS = { astra, norway, traficom, eea, rdw, cvs } as const satisfies Record<string, Register>;

/**
 * The registers of single cars with their VINs, by the word for them: what their cars agree on is put over the catalog.
 */
export const CAR_REGISTERS = { czech, denmark, dvsa, newzealand, slovenia, spain, ukraine } as const satisfies Record<
  string,
  Register
>;

export type RegisterName = keyof typeof REGISTERS;
export type CarRegisterName = keyof typeof CAR_REGISTERS;
