import { useState } from 'react';
import { useList } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { BatchBadge } from '../../batches/batch-badge.tsx';
import { statusWords } from '../../batches/texts.ts';
import { AddButton } from '../../kit/button.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { ProfileName } from '../../profiles/profile-name.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { NewBulkSendDialog } from './new-bulk-send.tsx';
import { texts } from './texts.ts';
import { ChoiceFilter } from '../../kit/filters.tsx';

type Batch = AnswerOf<'ListBatches'>['items'][number];
const statuses = ['queued', 'processing', 'completed', 'cancelled', 'failed'] as const;

export function PageContent() {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const words = useTexts(statusWords);
  const may = useMay();
  const [isSending, setSending] = useState(false);
  const [status, setStatus] = useState<Batch['status'] | ''>('');
  const batches = useList('ListBatches', { query: status === '' ? {} : { status } });
  useRereadOn({ 'bulk.*': ['ListBatches'] });
  const columns = useColumns();
  const create = may('message:send') && <AddButton label={t('create')} onAdd={() => setSending(true)} />;
  return (
    <Page title={t('title')} actions={create}>
      <ChoiceFilter
        label={common('status')}
        all={t('allStates')}
        value={status}
        onValue={setStatus}
        choices={statuses.map((value) => ({ value, label: words(value) }))}
      />
      <Table
        label={t('title')}
        columns={columns}
        pages={batches}
        keyOf={({ batchId }) => batchId}
        empty={
          status === '' ? (
            <Empty icon="bulk" title={t('empty')} action={create}>
              {t('emptyText')}
            </Empty>
          ) : (
            <Empty icon="search" title={t('none')} />
          )
        }
      />
      {isSending && <NewBulkSendDialog onClose={() => setSending(false)} />}
    </Page>
  );
}

function useColumns(): readonly Column<Batch>[] {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const { number, dateTime } = useFormats();
  return [
    {
      heading: t('made'),
      cell: ({ batchId, createdAt }) => <PageLink to={`/bulk/${batchId}`}>{dateTime(createdAt)}</PageLink>,
    },
    { heading: common('profile'), isWide: true, cell: ({ profileId }) => <ProfileName id={profileId} /> },
    { heading: common('status'), cell: ({ status }) => <BatchBadge status={status} /> },
    { heading: common('sent'), cell: ({ progress: { sent, total } }) => t('ofTotal', { sent, total }) },
    { heading: common('failed'), isWide: true, cell: ({ progress }) => number(progress.failed) },
  ];
}
