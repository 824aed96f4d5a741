import { useState } from 'react';
import type { AnswerOf } from '../api/operations.ts';
import { Button } from '../kit/button.tsx';
import { TextArea, TextField, useFields } from '../kit/fields.tsx';
import { SmallTable } from '../kit/small-table.tsx';
import type { Column } from '../kit/table.tsx';
import { WriteDialog } from '../kit/write-dialog.tsx';
import { useTexts } from '../language/language.tsx';
import { commonWords } from '../words/common.ts';
import { kindWords, texts, verdictWords } from './texts.ts';

type Evaluation = AnswerOf<'EvaluateAutomation'>;
type Candidate = Evaluation['candidates'][number];

/** Button *Who would answer*: asks who would answer a message, and why the others would not. */
export function Evaluate({ profileId }: { readonly profileId: string }) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="help" onClick={() => setOpen(true)}>
        {t('evaluate')}
      </Button>
      {isOpen && <EvaluateDialog profileId={profileId} onClose={() => setOpen(false)} />}
    </>
  );
}

function EvaluateDialog({ profileId, onClose }: { readonly profileId: string; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const { values, bind } = useFields({ message: '', from: '' });
  const [answered, setAnswered] = useState<Evaluation>();
  const { message, from } = values;
  return (
    <WriteDialog
      wide
      title={t('evaluate')}
      submit={t('ask')}
      operation="EvaluateAutomation"
      request={{ body: { profileId, message, ...(from !== '' && { from }) } }}
      onClose={onClose}
      onDone={setAnswered}
    >
      <p className="text-muted">{t('evaluateText')}</p>
      <TextArea label={common('message')} rows={2} dir="auto" {...bind('message')} />
      <TextField label={t('from')} hint={t('fromHint')} type="tel" dir="ltr" {...bind('from')} />
      {answered && <Verdicts {...answered} />}
    </WriteDialog>
  );
}

function Verdicts({ answers, candidates }: Evaluation) {
  const t = useTexts(texts);
  const columns = useColumns();
  return (
    <div role="status" className="grid gap-2">
      {answers.length === 0 && <p className="font-medium">{t('nobody')}</p>}
      {candidates.length > 0 && (
        <SmallTable
          label={t('candidates')}
          rows={candidates}
          keyOf={({ kind, id }) => `${kind} ${id}`}
          columns={columns}
        />
      )}
    </div>
  );
}

function useColumns(): readonly Column<Candidate>[] {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const kinds = useTexts(kindWords);
  const verdicts = useTexts(verdictWords);
  return [
    { heading: t('kind'), cell: ({ kind }) => kinds(kind) },
    { heading: common('name'), cell: ({ name }) => <bdi>{name}</bdi> },
    {
      heading: t('verdict'),
      cell: ({ verdict }) => (
        <span className={`badge ${verdict === 'answers' ? 'badge-ok' : ''}`}>{verdicts(verdict)}</span>
      ),
    },
  ];
}
