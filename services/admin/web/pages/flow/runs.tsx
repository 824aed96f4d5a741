import { useState } from 'react';
import { useAsk, useList } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { stepWords } from '../../flows/texts.ts';
import type { StepType } from '../../flows/draft.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Empty } from '../../kit/page.tsx';
import { SmallTable } from '../../kit/small-table.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { reasonWords, runWords, texts } from './texts.ts';
import { ChoiceFilter } from '../../kit/filters.tsx';
import { Section } from '../../kit/card.tsx';

type Run = AnswerOf<'ListAutomationRuns'>['items'][number];
type Step = AnswerOf<'GetAutomationRun'>['steps'][number];
const statuses = ['running', 'waiting', 'completed', 'failed', 'cancelled', 'refused'] as const;
const looks: Readonly<Record<string, string>> = {
  completed: 'badge-ok',
  done: 'badge-ok',
  failed: 'badge-danger',
  refused: 'badge-warn',
  running: 'badge-accent',
};

/** Each time that the flow fitted, with a way to what became of its steps. */
export function Runs({ flowId }: { readonly flowId: string }) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const words = useTexts(runWords);
  const [shown, setShown] = useState<string>();
  const [status, setStatus] = useState<Run['status'] | ''>('');
  const runs = useList('ListAutomationRuns', { params: { id: flowId }, query: status === '' ? {} : { status } });
  const columns = useColumns(setShown);
  return (
    <Section
      title={t('runs')}
      actions={
        <ChoiceFilter
          label={common('status')}
          all={t('allStates')}
          value={status}
          onValue={setStatus}
          choices={statuses.map((value) => ({ value, label: words(value) }))}
        />
      }
    >
      <Table
        label={t('runs')}
        columns={columns}
        pages={runs}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="automation" title={t('noRuns')}>
            {t('noRunsText')}
          </Empty>
        }
      />
      {shown !== undefined && <RunDialog id={shown} onClose={() => setShown(undefined)} />}
    </Section>
  );
}

function useColumns(onShow: (id: string) => void): readonly Column<Run>[] {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const words = useTexts(runWords);
  const reasons = useTexts(reasonWords);
  const { dateTime } = useFormats();
  return [
    { heading: common('started'), cell: ({ startedAt }) => dateTime(startedAt) },
    {
      heading: common('message'),
      isWide: true,
      cell: ({ message }) => (
        <p className="line-clamp-2 max-w-md [overflow-wrap:anywhere]" dir="auto">
          {message}
        </p>
      ),
    },
    {
      heading: common('status'),
      cell: ({ status, reason }) => (
        <>
          <span className={`badge ${looks[status] ?? ''}`}>{words(status)}</span>
          {reason !== null && <p className="text-muted">{reasons(reason)}</p>}
        </>
      ),
    },
    {
      heading: common('actions'),
      isHeadingHidden: true,
      className: 'text-end',
      cell: ({ id }) => <Button onClick={() => onShow(id)}>{t('show')}</Button>,
    },
  ];
}

/** What set a run off, and what became of each step. */
function RunDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const asked = useAsk('GetAutomationRun', { params: { id } });
  return (
    <Dialog wide title={t('trace')} onClose={onClose}>
      <Loaded of={asked}>{(run) => <Trace run={run} />}</Loaded>
    </Dialog>
  );
}

function Trace({ run }: { readonly run: AnswerOf<'GetAutomationRun'> }) {
  const t = useTexts(texts);
  const words = useTexts(runWords);
  const reasons = useTexts(reasonWords);
  const may = useMay();
  const { dateTime } = useFormats();
  const columns = useStepColumns();
  return (
    <div className="grid gap-3">
      <p>
        <span className={`badge ${looks[run.status] ?? ''}`}>{words(run.status)}</span> {dateTime(run.startedAt)}
      </p>
      {run.reason !== null && <p>{reasons(run.reason)}</p>}
      {run.message !== null && (
        <p className="rounded-lg bg-sunken p-3 whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
          {run.message}
        </p>
      )}
      {run.match !== null && <p>{t('met', { match: run.match })}</p>}
      <SmallTable label={t('steps')} rows={run.steps} keyOf={({ index }) => String(index)} columns={columns} />
      {may('message:read') && <PageLink to={`/inbox/${run.conversationId}`}>{t('chat')}</PageLink>}
    </div>
  );
}

function useStepColumns(): readonly Column<Step>[] {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const words = useTexts(runWords);
  const kinds = useTexts(stepWords);
  const { number } = useFormats();
  return [
    { heading: t('step'), cell: ({ index, type }) => `${number(index + 1)} · ${kinds(type as StepType)}` },
    {
      heading: common('status'),
      cell: ({ status }) => <span className={`badge ${looks[status] ?? ''}`}>{words(status)}</span>,
    },
    {
      heading: common('error'),
      cell: ({ error, ignored = [] }) => (
        <>
          {error && `${error.code}: ${error.message}`}
          {ignored.length > 0 && t('ignored', { names: ignored.join(', ') })}
        </>
      ),
    },
  ];
}
