import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { curlOf } from '../api/curl.ts';
import type { OperationName, RequestOf } from '../api/operations.ts';
import type { Problem } from '../api/problem.ts';
import { useTexts } from '../language/language.tsx';
import { Button } from './button.tsx';
import { CopyButton } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { FaultsOfForm } from './fields.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { texts } from './texts.ts';

interface FormGiven {
  readonly onSubmit: () => unknown;
  readonly problem: Problem | undefined;
  readonly children: ReactNode;
  readonly className?: string;
}

/**
 * Fields that are sent together. The server checks them: what it finds stands at the fields and above the first one, and the
 * first faulty field gets the focus.
 */
export function Form({ onSubmit, problem, children, className = 'grid gap-4' }: FormGiven) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problem !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [problem]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    void onSubmit();
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className={className}>
      <FaultsOfForm value={problem}>
        {problem && <ProblemAlert problem={problem} />}
        {children}
      </FaultsOfForm>
    </form>
  );
}

/** The request as a command for a shell; it follows the fields. */
export function ShowAsCurl<N extends OperationName>({
  name,
  request,
}: {
  readonly name: N;
  readonly request: RequestOf<N>;
}) {
  const t = useTexts(texts);
  const [isShown, setShown] = useState(false);
  const command = isShown ? curlOf(name, request) : '';
  return (
    <div className="grid gap-2">
      <div>
        <Button kind="quiet" icon="code" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {t('showCurl')}
        </Button>
      </div>
      {isShown && (
        <>
          <pre
            tabIndex={0}
            className="max-h-48 overflow-auto rounded-lg bg-sunken p-3 text-xs"
            aria-label={t('showCurl')}
            role="group"
          >
            <code>{command}</code>
          </pre>
          <div className="flex flex-wrap items-center justify-between gap-2 text-muted">
            <span>{t('curlHelp')}</span>
            <CopyButton text={command} />
          </div>
        </>
      )}
    </div>
  );
}

interface FormDialogGiven<N extends OperationName> {
  /** Name of the dialog, which is that of the button that opened it. */
  readonly title: string;
  /** Words of its submit button. */
  readonly submit: string;
  readonly onClose: () => void;
  readonly onSubmit: () => unknown;
  readonly problem: Problem | undefined;
  readonly isBusy: boolean;
  /** The request that would be sent now. */
  readonly curl: { readonly name: N; readonly request: RequestOf<N> };
  readonly children: ReactNode;
  readonly danger?: boolean;
  readonly wide?: boolean;
}

/** A dialog with a form that writes: its fields, the request as curl, Cancel and the button that sends it. */
export function FormDialog<N extends OperationName>(given: FormDialogGiven<N>) {
  const { title, submit, onClose, onSubmit, problem, isBusy, curl, children, danger = false, wide = false } = given;
  const t = useTexts(texts);
  return (
    <Dialog title={title} onClose={onClose} wide={wide}>
      <Form onSubmit={isBusy ? () => undefined : onSubmit} problem={problem}>
        {children}
        <ShowAsCurl {...curl} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={isBusy}>
            {submit}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
