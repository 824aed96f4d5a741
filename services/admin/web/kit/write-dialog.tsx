import type { ReactNode } from 'react';
import { useWrite } from '../api/asking.ts';
import type { AnswerOf, OperationName, RequestOf } from '../api/operations.ts';
import { FormDialog } from './form.tsx';
import { useSay } from './say.tsx';

interface Given<N extends OperationName> {
  /** Name of the dialog, which is that of the button that opened it. */
  readonly title: string;
  /** Words of its submit button. */
  readonly submit: string;
  readonly operation: N;
  /** What would be sent now. */
  readonly request: RequestOf<N>;
  /** Operations whose answers are no longer true then. */
  readonly rereads?: readonly OperationName[];
  /** Words for once it was done. */
  readonly said?: string | ((answer: AnswerOf<N>) => string);
  /** What is chosen by itself is not known yet. */
  readonly isWaiting?: boolean;
  readonly onClose: () => void;
  /** In place of closing the dialog: shows the answer in it, or leads on. */
  readonly onDone?: (answer: AnswerOf<N>) => void;
  readonly children: ReactNode;
  readonly danger?: boolean;
  readonly wide?: boolean;
}

/** A dialog with a form that writes by one operation: sends it, says so, and closes. */
export function WriteDialog<N extends OperationName>(given: Given<N>) {
  const { operation, request, rereads = [], said, isWaiting = false, onDone, ...shown } = given;
  const say = useSay();
  const { write, problem, isBusy } = useWrite(operation, ...rereads);
  const submit = async () => {
    const done = await write(request);
    if (done === undefined) return;
    if (said !== undefined) say(typeof said === 'string' ? said : said(done.answer));
    if (onDone) onDone(done.answer);
    else shown.onClose();
  };
  return (
    <FormDialog
      {...shown}
      onSubmit={submit}
      problem={problem}
      isBusy={isBusy || isWaiting}
      curl={{ name: operation, request }}
    />
  );
}
