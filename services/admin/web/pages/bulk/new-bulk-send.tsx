import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import type { Problem } from '../../api/problem.ts';
import { numberIn } from '../../kit/typed.ts';
import { contentOf, summaryOf, valuesOf, type ContentType } from '../../content/composing.ts';
import { ContentFields, TypeSelect } from '../../content/content-fields.tsx';
import { Checkbox, TextArea, TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useSay } from '../../kit/say.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { ProfileSelect } from '../../profiles/profile-select.tsx';
import { filled, messagesOf, phoneColumn, placeholdersIn, rowsIn, type Rows } from './rows.ts';
import { texts } from './texts.ts';

interface Fields {
  readonly profileId: string;
  readonly rows: string;
  readonly type: ContentType;
  readonly delay: string;
  readonly randomize: boolean;
  readonly stopOnError: boolean;
}

const most = 1_000;
const braced = (name: string): string => `{${name}}`;

/** Which row the server finds fault with: its index, and the path of the fault. */
function faultyRow(problem: Problem | undefined): { readonly path: string; readonly row: number } | undefined {
  for (const fault of problem?.faults ?? []) {
    const path = fault.path.replace(/^body\.?/, '');
    const [, row] = /^messages(?:\[|\.)(\d+)\]?\.(?:chatId|variables)/.exec(path) ?? [];
    if (row !== undefined) return { path, row: Number(row) };
  }
  return undefined;
}

/** Sends one message for each row, and leads to how it goes. */
export function NewBulkSendDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const say = useSay();
  const navigate = useNavigate();
  const { dateTime } = useFormats();
  const { values, bind, set } = useFields<Fields>({
    profileId: '',
    rows: '',
    type: 'text',
    delay: '3000',
    randomize: false,
    stopOnError: false,
  });
  const [written, setWritten] = useState(valuesOf);
  const { write, problem, isBusy } = useWrite('SendBulk', 'ListBatches');
  const pasted = useDeferredValue(values.rows);
  const read = useMemo(() => rowsIn(pasted), [pasted]);
  const content = contentOf(values.type, written);
  const requestOf = (rows: Rows) => ({
    body: {
      profileId: values.profileId,
      messages: [...messagesOf(rows, values.type, content)],
      options: {
        delayBetweenMessages: numberIn(values.delay),
        randomizeDelay: values.randomize,
        stopOnError: values.stopOnError,
      },
    },
  });
  const submit = async () => {
    const made = await write(requestOf(rowsIn(values.rows)));
    if (made === undefined) return;
    say(t('accepted', { when: dateTime(made.answer.estimatedCompletionTime) }));
    onClose();
    void navigate({ to: `/bulk/${made.answer.batchId}` });
  };
  const faulty = faultyRow(problem);
  return (
    <FormDialog
      wide
      title={t('create')}
      submit={t('send')}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'SendBulk', request: requestOf(read) }}
    >
      <ProfileSelect {...bind('profileId')} />
      <TextArea
        label={t('rows')}
        hint={<RowsHint read={read} faulty={faulty?.row} />}
        placeholder={`${phoneColumn},name\n4915112345678,Ada`}
        dir="ltr"
        className="input font-mono"
        spellCheck={false}
        {...bind('rows')}
        name={faulty?.path ?? (read.rows.length === 0 ? 'messages' : 'rows')}
      />
      <CsvFile onText={(rows) => set({ rows })} />
      <TypeSelect {...bind('type')} />
      <ContentFields
        type={values.type}
        values={written}
        onValues={(changed) => setWritten((now) => ({ ...now, ...changed }))}
        path="messages[0].content"
        hint={read.columns.length === 0 ? undefined : t('columns', { names: read.columns.map(braced).join(', ') })}
      />
      <Preview read={read} content={content} />
      <TextField label={t('delay')} inputMode="numeric" {...bind('delay')} name="options.delayBetweenMessages" />
      <Checkbox label={t('randomize')} {...bind('randomize')} />
      <Checkbox label={t('stopOnError')} {...bind('stopOnError')} />
    </FormDialog>
  );
}

/** What the table is to look like, and what it looks like. */
function RowsHint({ read, faulty }: { readonly read: Rows; readonly faulty: number | undefined }) {
  const t = useTexts(texts);
  const { columns, rows, fault } = read;
  const hasPhone = columns.length === 0 || columns.includes(phoneColumn);
  return (
    <>
      {t('rowsHint', { phone: phoneColumn })} <strong>{t('counted', { count: rows.length })}</strong>
      {rows.length > most && <span className="block text-danger">{t('tooMany')}</span>}
      {!hasPhone && <span className="block text-danger">{t('noPhone', { phone: phoneColumn })}</span>}
      {fault !== undefined && <span className="block text-danger">{t('noTable', { reason: fault })}</span>}
      {faulty !== undefined && rows[faulty] && (
        <span className="block text-danger">
          {t('faultyRow', { row: faulty + 1 })} <bdi>{Object.values(rows[faulty]).join(', ')}</bdi>
        </span>
      )}
    </>
  );
}

/** The text of the first row, as its phone will show it. */
function Preview({ read, content }: { readonly read: Rows; readonly content: Readonly<Record<string, unknown>> }) {
  const t = useTexts(texts);
  const [row] = read.rows;
  const text = summaryOf(content);
  if (row === undefined || text === '') return null;
  const missing = placeholdersIn(content).filter((name) => !Object.hasOwn(row, name));
  return (
    <section className="grid gap-1 rounded-lg bg-sunken p-3" aria-label={t('preview')}>
      <h3 className="font-medium">{t('preview')}</h3>
      <p className="text-muted" dir="ltr">
        {row[phoneColumn]}
      </p>
      <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {filled(text, row)}
      </p>
      {missing.length > 0 && <p className="text-danger">{t('missing', { names: missing.map(braced).join(', ') })}</p>}
    </section>
  );
}

/** A file in place of what would be pasted. */
function CsvFile({ onText }: { readonly onText: (text: string) => void }) {
  const t = useTexts(texts);
  return (
    <label className="grid gap-1 font-medium">
      {t('file')}
      <input
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        className="input font-normal"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void file.text().then(onText);
        }}
      />
    </label>
  );
}
