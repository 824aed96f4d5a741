import { useState } from 'react';
import { useAsk, useList } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FaultsOfForm, Select, TextField, useFields } from '../../kit/fields.tsx';
import { momentIn } from '../../kit/moment.ts';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { AuditSummary } from './summary.tsx';
import { texts } from './texts.ts';

type Entry = AnswerOf<'ListAuditLogs'>['items'][number];

export function PageContent() {
  const t = useTexts(texts);
  const { values, bind } = useFields({ action: '', actor: '', from: '', to: '' });
  const [shown, setShown] = useState<Entry>();
  const period = {
    ...(values.from !== '' && { from: momentIn(values.from) }),
    ...(values.to !== '' && { to: momentIn(values.to) }),
  };
  const entries = useList(
    'ListAuditLogs',
    {
      query: {
        ...period,
        ...(values.action !== '' && { action: values.action }),
        ...(values.actor !== '' && { actor: values.actor }),
      },
    },
    { staleTime: 0 },
  );
  const actions = useAsk('ListAuditActions', {}).data?.items ?? [];
  const summary = useAsk('GetAuditSummary', { query: period });
  const columns = useColumns(setShown);
  return (
    <Page title={t('title')}>
      <FaultsOfForm value={entries.problem}>
        <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
          <Select
            label={t('action')}
            choices={[{ value: '', label: t('allActions') }, ...actions.map(({ key }) => ({ value: key, label: key }))]}
            {...bind('action')}
          />
          <Select
            label={t('actor')}
            choices={[
              { value: '', label: t('allActors') },
              ...(summary.data?.byActor ?? []).map(({ actor }) => ({ value: actor.id, label: actor.name ?? actor.id })),
            ]}
            {...bind('actor')}
          />
          <TextField label={t('from')} type="datetime-local" {...bind('from')} />
          <TextField label={t('until')} type="datetime-local" {...bind('to')} />
        </div>
      </FaultsOfForm>
      <Table
        label={t('title')}
        columns={columns}
        pages={entries}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="audit" title={t('empty')}>
            {t('emptyText')}
          </Empty>
        }
      />
      <AuditSummary summary={summary} />
      {shown && <EntryDialog entry={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

function useColumns(onShow: (entry: Entry) => void): readonly Column<Entry>[] {
  const t = useTexts(texts);
  const { dateTime } = useFormats();
  return [
    { heading: t('when'), cell: ({ timestamp }) => dateTime(timestamp) },
    { heading: t('action'), cell: ({ action }) => <bdi>{action}</bdi> },
    { heading: t('actor'), cell: ({ actor }) => <bdi>{actor.name ?? t(actor.type)}</bdi> },
    { heading: t('resource'), isWide: true, cell: ({ resourceType }) => <bdi>{resourceType ?? '–'}</bdi> },
    {
      heading: t('menu'),
      isHeadingHidden: true,
      className: 'text-end',
      cell: (entry) => (
        <Button kind="quiet" icon="eye" onClick={() => onShow(entry)}>
          {t('details')}
        </Button>
      ),
    },
  ];
}

/** All that one entry says. */
function EntryDialog({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const { dateTime } = useFormats();
  const { actor, resourceType, resourceId, metadata } = entry;
  const rows: readonly (readonly [string, string | null])[] = [
    [t('when'), dateTime(entry.timestamp)],
    [t('actor'), [t(actor.type), actor.name, actor.id].filter(Boolean).join(' · ')],
    [t('resource'), [resourceType, resourceId].filter(Boolean).join(' · ')],
    [t('address'), entry.ip],
    [t('browser'), entry.userAgent],
    [t('requestId'), entry.requestId],
    [t('more'), Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata, undefined, 2)],
  ];
  return (
    <Dialog wide title={entry.action} onClose={onClose}>
      <dl className="grid gap-2">
        {rows.map(([what, value]) => (
          <div key={what}>
            <dt className="text-muted">{what}</dt>
            <dd className="wrap-anywhere whitespace-pre-wrap">
              <bdi>{value === null || value === '' ? '–' : value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
