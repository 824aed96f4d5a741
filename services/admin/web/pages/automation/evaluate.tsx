import { useWrite } from '../../api/asking.ts';
import { TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useTexts } from '../../language/language.tsx';
import { commonWords } from '../../words/common.ts';
import { useState } from 'react';
import type { AnswerOf } from '../../api/operations.ts';
import { kindWords, texts, verdictWords } from './texts.ts';

/** Asks who would answer a message, and why the others would not. */
export function EvaluateDialog({ profileId, onClose }: { readonly profileId: string; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const { values, bind } = useFields({ message: '', from: '' });
  const { write, problem, isBusy } = useWrite('EvaluateAutomation');
  const [answered, setAnswered] = useState<AnswerOf<'EvaluateAutomation'>>();
  const { message, from } = values;
  const request = { body: { profileId, message, ...(from !== '' && { from }) } };
  return (
    <FormDialog
      wide
      title={t('evaluate')}
      submit={t('ask')}
      onClose={onClose}
      onSubmit={async () => setAnswered((await write(request))?.answer)}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'EvaluateAutomation', request }}
    >
      <p className="text-muted">{t('evaluateText')}</p>
      <TextArea label={common('message')} rows={2} dir="auto" {...bind('message')} />
      <TextField label={t('from')} hint={t('fromHint')} type="tel" dir="ltr" {...bind('from')} />
      {answered && <Verdicts {...answered} />}
    </FormDialog>
  );
}

function Verdicts({ answers, candidates }: AnswerOf<'EvaluateAutomation'>) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const kinds = useTexts(kindWords);
  const verdicts = useTexts(verdictWords);
  return (
    <div role="status" className="grid gap-2 overflow-x-auto">
      {answers.length === 0 && <p className="font-medium">{t('nobody')}</p>}
      {candidates.length > 0 && (
        <table className="table" aria-label={t('candidates')}>
          <thead>
            <tr>
              <th scope="col">{t('kind')}</th>
              <th scope="col">{common('name')}</th>
              <th scope="col">{t('verdict')}</th>
            </tr>
          </thead>
          <tbody>
            {candidates.map(({ kind, id, name, verdict }) => (
              <tr key={`${kind} ${id}`}>
                <td>{kinds(kind)}</td>
                <td>
                  <bdi>{name}</bdi>
                </td>
                <td>
                  <span className={`badge ${verdict === 'answers' ? 'badge-ok' : ''}`}>{verdicts(verdict)}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
