import type { AnswerOf } from '../api/operations.ts';
import { SmallTable } from '../kit/small-table.tsx';
import type { Column } from '../kit/table.tsx';
import { useTexts } from '../language/language.tsx';
import { texts } from './texts.ts';

export type Results = AnswerOf<'AddGroupParticipants'>['results'];

/** The result of a change of members for each person. */
export function ResultsTable({ results }: { readonly results: Results }) {
  const t = useTexts(texts);
  return <SmallTable label={t('results')} rows={results} keyOf={({ phone }) => phone} columns={useColumns()} />;
}

function useColumns(): readonly Column<Results[number]>[] {
  const t = useTexts(texts);
  return [
    { heading: t('person'), cell: ({ phone }) => <bdi dir="ltr">{phone}</bdi> },
    {
      heading: t('result'),
      cell: ({ status, message }) => (
        <>
          <span className={status === 200 ? 'badge badge-ok' : 'badge badge-warn'}>
            {status === 200 ? t('done') : t('refused', { status: String(status) })}
          </span>
          {message !== undefined && <p className="text-muted">{message}</p>}
        </>
      ),
    },
  ];
}
