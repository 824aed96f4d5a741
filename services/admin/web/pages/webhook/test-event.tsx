import { useWrite } from '../../api/asking.ts';
import { Button } from '../../kit/button.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useState } from 'react';
import type { AnswerOf } from '../../api/operations.ts';
import { useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

/** Sends one event and says what the receiver made of it. */
export function TestEvent({ id }: { readonly id: string }) {
  const t = useTexts(texts);
  const { write, problem, isBusy } = useWrite('TestWebhook');
  const [result, setResult] = useState<AnswerOf<'TestWebhook'>>();
  return (
    <div className="grid justify-items-end gap-2">
      <Button
        icon="send"
        busy={isBusy}
        onClick={() => void write({ params: { id } }).then((told) => setResult(told?.answer))}
      >
        {t('test')}
      </Button>
      {problem && <ProblemAlert problem={problem} />}
      {result && !isBusy && (
        <p role="status" className={result.delivered ? 'text-ok' : 'text-danger'}>
          {result.delivered
            ? t('testOk', { code: String(result.statusCode), ms: result.durationMs })
            : t('testFailed', { why: result.error ?? String(result.statusCode) })}
        </p>
      )}
    </div>
  );
}
