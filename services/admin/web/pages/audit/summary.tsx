import type { ReactNode } from 'react';
import type { useAsk } from '../../api/asking.ts';
import { Card } from '../../kit/card.tsx';
import { SmallTable } from '../../kit/small-table.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

type Summary = ReturnType<typeof useAsk<'GetAuditSummary'>>;

/** More lines than these help nobody. */
const mostLines = 10;

/** What was done most, and by whom. */
export function AuditSummary({ summary }: { readonly summary: Summary }) {
  const t = useTexts(texts);
  return (
    <Card title={t('summary')}>
      <Loaded of={summary}>
        {({ total, byAction, byActor }) => (
          <>
            <p className="text-muted">{t('summaryText', { count: total })}</p>
            <div className="grid items-start gap-5 lg:grid-cols-2">
              <Counts
                name={t('byAction')}
                what={t('action')}
                lines={byAction.map(({ action, count }) => [action, <bdi key={action}>{action}</bdi>, count])}
              />
              <Counts
                name={t('byActor')}
                what={t('actor')}
                lines={byActor.map(({ actor, count }) => [
                  actor.id,
                  <bdi key={actor.id}>{actor.name ?? t(actor.type)}</bdi>,
                  count,
                ])}
              />
            </div>
          </>
        )}
      </Loaded>
    </Card>
  );
}

interface Given {
  readonly name: string;
  readonly what: string;
  readonly lines: readonly (readonly [key: string, what: ReactNode, count: number])[];
}

function Counts({ name, what, lines }: Given) {
  const t = useTexts(texts);
  const { number } = useFormats();
  const most = lines.toSorted(([, , one], [, , other]) => other - one).slice(0, mostLines);
  return (
    <SmallTable
      label={name}
      rows={most}
      keyOf={([key]) => key}
      columns={[
        { heading: what, className: 'wrap-anywhere', cell: ([, shown]) => shown },
        { heading: t('count'), cell: ([, , count]) => number(count) },
      ]}
    />
  );
}
