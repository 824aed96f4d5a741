import { useState } from 'react';
import type { AnswerOf } from '../../api/operations.ts';
import { Counts, LineErrors } from '../../imports/errors.tsx';
import { Field } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

/** Adds the phones of a CSV file, and says what was wrong with it, by line. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const [csv, setCsv] = useState('');
  const [result, setResult] = useState<AnswerOf<'ImportSuppressionsCsv'>>();
  return (
    <WriteDialog
      title={t('import')}
      submit={t('importIt')}
      operation="ImportSuppressionsCsv"
      request={{ body: { csv } }}
      rereads={['ListSuppressions']}
      onClose={onClose}
      onDone={setResult}
    >
      <Field label={t('file')} name="csv" hint={t('fileHint')}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            accept=".csv,text/csv,text/plain"
            className="input"
            onChange={({ target }) => {
              setResult(undefined);
              void target.files?.[0]?.text().then(setCsv);
            }}
          />
        )}
      </Field>
      {result && <Counts {...result} />}
      {result && <LineErrors errors={result.errors} />}
    </WriteDialog>
  );
}
