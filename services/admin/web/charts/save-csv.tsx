import { IconButton } from '../kit/button.tsx';
import { useTexts } from '../language/language.tsx';
import { csvOf } from './csv.ts';
import type { ChartData } from './data.ts';
import { texts } from './texts.ts';

/** Saves the numbers as a file. */
export function SaveCsv({
  name,
  data: { heading, series, rows },
}: {
  readonly name: string;
  readonly data: ChartData;
}) {
  const t = useTexts(texts);
  const save = () => {
    const lines = [[heading, ...series], ...rows.map(({ label, values }) => [label, ...values])];
    const address = URL.createObjectURL(new Blob([`\uFEFF${csvOf(lines)}`], { type: 'text/csv' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = `${name}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  };
  return <IconButton icon="download" label={t('csv', { name })} onClick={save} />;
}
