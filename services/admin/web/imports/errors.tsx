import { SmallTable } from '../kit/small-table.tsx';
import { useTexts } from '../language/language.tsx';
import { texts } from './texts.ts';

interface Given {
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
}

/** How many records of a file were made, changed, and wrong; digits alone, as programs read them too. */
export function Counts({ created, updated, failed }: Given) {
  const t = useTexts(texts);
  return (
    <p role="status" className="font-medium">
      {t('counts', { created: String(created), updated: String(updated), failed: String(failed) })}
    </p>
  );
}

/** What was wrong with a file, by its lines. */
export function LineErrors({
  errors,
}: {
  readonly errors: readonly { readonly line: number; readonly message: string }[];
}) {
  const t = useTexts(texts);
  if (errors.length === 0) return null;
  return (
    <SmallTable
      label={t('errors')}
      rows={errors}
      keyOf={({ line }, at) => `${at} ${line}`}
      className="max-h-96"
      columns={[
        { heading: t('line'), cell: ({ line }) => line },
        { heading: t('reason'), cell: ({ message }) => message },
      ]}
    />
  );
}
