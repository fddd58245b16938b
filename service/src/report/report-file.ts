import type { FastifyReply } from 'fastify';

import { csvLine } from '../kernel/csv/csv.ts';
import { cellsOf, REPORT_COLUMNS } from './cells.ts';

/** The forms in which a report can be saved. */
export const REPORT_FILES = ['csv', 'json'] as const;

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' };

/**
 * Sends a report as a file: JSON, or a table with one row and the columns that decoded files get.
 *
 * @param report cut to what its reader may see.
 */
export function sendReportFile(
  reply: FastifyReply,
  form: (typeof REPORT_FILES)[number],
  vin: string,
  report: object,
): FastifyReply {
  return reply
    .header('content-type', TYPES[form])
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${vin.replace(/\W/g, '')}.${form}"`)
    .send(form === 'csv' ? reportCsv(vin, report) : JSON.stringify({ report }, null, 2));
}

/** Pure. */
function reportCsv(vin: string, report: object): string {
  return csvLine(['vin', ...REPORT_COLUMNS], ',') + csvLine([vin, ...cellsOf(report, REPORT_COLUMNS)], ',');
}
