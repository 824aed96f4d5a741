import { useState, type ReactNode } from 'react';
import { useWrite } from '../../api/asking.ts';
import type { AnswerOf, OperationName, RequestOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { Form, ShowAsCurl } from '../../kit/form.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

type Test = 'TestSmtpSettings' | 'TestStorageSettings' | 'TestIntegration';

interface Given<N extends OperationName, T extends Test> {
  readonly name: N;
  readonly request: RequestOf<N>;
  /** What shows what is no longer true then. */
  readonly rereads: readonly OperationName[];
  readonly onSaved?: (answer: AnswerOf<N>) => void;
  /** The role allows to change them. */
  readonly mayChange: boolean;
  /** How they are tried for real. */
  readonly test?: { readonly name: T; readonly request: RequestOf<T>; readonly hint: string };
  readonly children: ReactNode;
}

/** Settings that are saved together, and tried for real. */
export function SettingsForm<N extends OperationName, T extends Test>(given: Given<N, T>) {
  const { name, request, rereads, onSaved, mayChange, test, children } = given;
  const t = useTexts(texts);
  const say = useSay();
  const { write, problem, isBusy } = useWrite(name, ...rereads);
  const submit = async () => {
    const done = await write(request);
    if (done === undefined) return;
    say(t('saved'));
    onSaved?.(done.answer);
  };
  return (
    <Form onSubmit={submit} problem={problem}>
      <fieldset disabled={!mayChange} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {children}
      </fieldset>
      {mayChange ? (
        <>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" kind="primary" busy={isBusy}>
              {t('save')}
            </Button>
          </div>
          {test && <TestOf {...test} />}
          <ShowAsCurl name={name} request={request} />
        </>
      ) : (
        <p className="text-muted">{t('readOnly')}</p>
      )}
    </Form>
  );
}

/** Tries them, and says what it came to. */
function TestOf<T extends Test>({
  name,
  request,
  hint,
}: {
  readonly name: T;
  readonly request: RequestOf<T>;
  readonly hint: string;
}) {
  const t = useTexts(texts);
  const { write, problem, isBusy } = useWrite(name);
  const [result, setResult] = useState<{ readonly success: boolean; readonly message: string }>();
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button busy={isBusy} onClick={() => void write(request).then((told) => setResult(told?.answer))}>
          {t('test')}
        </Button>
        <span className="text-muted">{hint}</span>
      </div>
      {problem && <ProblemAlert problem={problem} />}
      {result && !isBusy && (
        <p role="status" className={result.success ? 'text-ok' : 'text-danger'}>
          {t(result.success ? 'worked' : 'failed')} <bdi>{result.message}</bdi>
        </p>
      )}
    </div>
  );
}
