import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Card } from '../../kit/card.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { SmallTable } from '../../kit/small-table.tsx';
import type { Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

type Variant = NonNullable<AnswerOf<'GetBroadcastStats'>['variants']>[number];
const counted = ['sent', 'delivered', 'read', 'replied'] as const;

/** What became of each of the texts that were shared out. */
export function VariantsCard({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const stats = useAsk('GetBroadcastStats', { params: { id }, query: {} });
  const columns = useColumns();
  return (
    <Card title={t('variants')}>
      <Loaded of={stats}>
        {({ variants = [] }) => (
          <SmallTable label={t('variants')} rows={variants} keyOf={({ name }) => name} columns={columns} />
        )}
      </Loaded>
    </Card>
  );
}

function useColumns(): readonly Column<Variant>[] {
  const t = useTexts(texts);
  const { number } = useFormats();
  return [
    { heading: t('variant'), cell: ({ name }) => <bdi>{name}</bdi> },
    ...counted.map((word) => ({
      heading: t(word),
      cell: (one: Variant) => number(one[word]),
    })),
  ];
}
