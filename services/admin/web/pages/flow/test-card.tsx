import { useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import type { Condition, Flow } from '../../flows/draft.ts';
import { Button } from '../../kit/button.tsx';
import { Checkbox, TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { Form, ShowAsCurl } from '../../kit/form.tsx';
import { useTexts } from '../../language/language.tsx';
import { commonWords } from '../../words/common.ts';
import { useDescribing } from './describing.ts';
import { texts } from './texts.ts';
import { Card } from '../../kit/card.tsx';

/** What the flow would do with a message. */
export function TestCard({ flow }: { readonly flow: Flow }) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const { values, bind } = useFields({ message: '', from: '', quoted: false });
  const { write, problem, isBusy } = useWrite('TestFlow');
  const [answered, setAnswered] = useState<AnswerOf<'TestFlow'>>();
  const { message, from, quoted } = values;
  const request = { params: { id: flow.id }, body: { message, quoted, ...(from !== '' && { from }) } };
  return (
    <Card title={t('test')}>
      <p className="text-muted">{t('testText')}</p>
      <Form problem={problem} onSubmit={async () => setAnswered((await write(request))?.answer)}>
        <TextArea label={common('message')} rows={2} dir="auto" {...bind('message')} />
        <TextField label={t('from')} hint={t('fromHint')} type="tel" dir="ltr" {...bind('from')} />
        <Checkbox label={t('quoted')} {...bind('quoted')} />
        <ShowAsCurl name="TestFlow" request={request} />
        <div>
          <Button type="submit" icon="play" busy={isBusy}>
            {t('run')}
          </Button>
        </div>
      </Form>
      {answered && <Verdict {...answered} />}
    </Card>
  );
}

function Verdict({ matched, match, conditions, actions }: AnswerOf<'TestFlow'>) {
  const t = useTexts(texts);
  const describe = useDescribing();
  return (
    <div role="status" aria-label={t('test')} className="grid gap-2 rounded-lg bg-sunken p-3">
      <p className="font-semibold">{t(matched ? 'matched' : 'notMatched')}</p>
      <p>{match === null ? t('notMet') : t('met', { match })}</p>
      {conditions.length > 0 && (
        <ul className="grid gap-1">
          {conditions.map(({ passed, ...condition }, at) => (
            <li key={`${at} ${condition.type}`}>
              <span className={`badge ${passed ? 'badge-ok' : 'badge-warn'}`}>{t(passed ? 'holds' : 'fails')}</span>{' '}
              <bdi>{describe.condition(condition as unknown as Condition)}</bdi>
            </li>
          ))}
        </ul>
      )}
      <ol className="list-decimal ps-5">
        {actions.map((step, at) => (
          <li key={`${at} ${step.type}`} dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {describe.step(step)}
          </li>
        ))}
      </ol>
    </div>
  );
}
