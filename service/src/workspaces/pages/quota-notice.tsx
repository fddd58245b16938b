import { Notice } from '../../kernel/ui/fields.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { Moment } from '../../kernel/ui/times.tsx';
import type { WorkspaceContext } from './context.ts';

/** Warns from 80% of a month's limit on, and reports when it is reached, with the remedy. */
export function QuotaNotice(props: Pick<WorkspaceContext, 'used' | 'limit' | 'resetAtMs' | 'home'>) {
  const { used, limit, resetAtMs, home } = props;
  if (limit === null || used < limit * 0.8) return null;
  const isOver = used >= limit;
  return (
    <Notice tone={isOver ? 'bad' : 'warn'}>
      <p>
        {isOver ? (
          <>
            All {count(limit)} decodes of this month are used. More are refused until <Moment ms={resetAtMs} />.
          </>
        ) : (
          `${Math.floor((used / limit) * 100)}% of this month's ${count(limit)} decodes are used.`
        )}{' '}
        <a href={`${home}/plan`}>Compare the plans</a>.
      </p>
    </Notice>
  );
}
