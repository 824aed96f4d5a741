import { useDeferredValue, useState } from 'react';
import { useList } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { BroadcastBadge } from '../../broadcasts/broadcast-badge.tsx';
import { AddButton } from '../../kit/button.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { useMay } from '../../session/me.tsx';
import { CreateBroadcastDialog } from './create-broadcast.tsx';
import { texts } from './texts.ts';
import { SearchField } from '../../kit/filters.tsx';

type Broadcast = AnswerOf<'ListBroadcasts'>['items'][number];

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const [isCreating, setCreating] = useState(false);
  const [sought, setSought] = useState('');
  const search = useDeferredValue(sought.trim());
  const broadcasts = useList('ListBroadcasts', { query: search === '' ? {} : { search } });
  useRereadOn({ 'broadcast.*': ['ListBroadcasts'] });
  const create = may('broadcast:create') && <AddButton label={t('create')} onAdd={() => setCreating(true)} />;
  const columns = useColumns();
  return (
    <Page title={t('title')} actions={create}>
      <SearchField label={t('search')} maxLength={256} value={sought} onValue={setSought} />
      <Table
        label={t('title')}
        columns={columns}
        pages={broadcasts}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="broadcasts" title={t('empty')} action={create}>
            {t('emptyText')}
          </Empty>
        }
      />
      {isCreating && <CreateBroadcastDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function useColumns(): readonly Column<Broadcast>[] {
  const t = useTexts(texts);
  const { number, dateTime } = useFormats();
  return [
    { heading: t('name'), cell: ({ id, name }) => <PageLink to={`/broadcasts/${id}`}>{name}</PageLink> },
    { heading: t('status'), cell: ({ status }) => <BroadcastBadge status={status} /> },
    { heading: t('sent'), cell: ({ stats }) => t('ofTotal', { sent: stats.sent, total: stats.total }) },
    { heading: t('failed'), isWide: true, cell: ({ stats }) => number(stats.failed) },
    { heading: t('made'), isWide: true, cell: ({ createdAt }) => dateTime(createdAt) },
  ];
}
