import { useId, useState, type ReactNode } from 'react';
import type { AnswerOf, OperationName, RequestOf } from '../api/operations.ts';
import { useWrite } from '../api/asking.ts';
import { useTexts } from '../language/language.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form, ShowAsCurl } from './form.tsx';
import { useSay } from './say.tsx';
import { texts } from './texts.ts';

interface Given<N extends OperationName> {
  readonly title: string;
  /** Words of the button that does it. Default: Delete. */
  readonly submit?: string;
  /** Words on what will be gone, and what stays. */
  readonly children: ReactNode;
  /** Must be typed first: for what cannot be undone. */
  readonly typedName?: string;
  readonly operation: N;
  readonly request: RequestOf<N>;
  /** Words for once it was done. */
  readonly said?: string;
  /** Operations whose answers are no longer true then. */
  readonly rereads?: readonly OperationName[];
  readonly onClose: () => void;
  /** In place of closing: leads on. */
  readonly onDone?: (answer: AnswerOf<N>) => void;
}

/** Asks before something is removed, and removes it. */
export function ConfirmDialog<N extends OperationName>(given: Given<N>) {
  const {
    title,
    submit,
    children,
    typedName,
    operation,
    request,
    said,
    rereads = [],
    onClose,
    onDone = onClose,
  } = given;
  const t = useTexts(texts);
  const say = useSay();
  const id = useId();
  const { write, problem, isBusy } = useWrite(operation, ...rereads);
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const go = async () => {
    if (typedName !== undefined && typed.trim() !== typedName.trim()) return setWrong(true);
    const done = await write(request);
    if (done === undefined) return;
    if (said !== undefined) say(said);
    onDone(done.answer);
  };
  return (
    <Dialog role="alertdialog" title={title} onClose={onClose}>
      <Form onSubmit={go} problem={problem}>
        <div className="text-muted">{children}</div>
        {typedName !== undefined && (
          <div className="grid gap-1">
            <p id={`${id}-what`}>{t('typeWhat', { name: typedName })}</p>
            <label htmlFor={id} className="font-medium">
              {t('typeName')}
            </label>
            <input
              id={id}
              className="input"
              autoComplete="off"
              value={typed}
              aria-invalid={isWrong || undefined}
              aria-describedby={isWrong ? `${id}-what ${id}-wrong` : `${id}-what`}
              onChange={(event) => {
                setTyped(event.target.value);
                setWrong(false);
              }}
            />
            {isWrong && (
              <p id={`${id}-wrong`} role="alert" className="text-danger">
                {t('notTheName')}
              </p>
            )}
          </div>
        )}
        <ShowAsCurl name={operation} request={request} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="danger" busy={isBusy}>
            {submit ?? t('delete')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
