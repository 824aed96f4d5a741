import { useState } from 'react';
import { useList } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { AddButton } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { useActions } from '../../kit/actions.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { CreateApiKeyDialog } from './create-api-key.tsx';
import { texts } from './texts.ts';

type Key = AnswerOf<'ListApiKeys'>['items'][number];

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const [isCreating, setCreating] = useState(false);
  const [removed, setRemoved] = useState<Key>();
  const keys = useList('ListApiKeys', { query: {} });
  const columns = useColumns(setRemoved);
  const create = may('apikey:create') && <AddButton label={t('create')} onAdd={() => setCreating(true)} />;
  return (
    <Page title={t('title')} actions={create}>
      <Table
        label={t('title')}
        columns={columns}
        pages={keys}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="keys" title={t('empty')} action={create}>
            {t('emptyText')}
          </Empty>
        }
      />
      {isCreating && <CreateApiKeyDialog onClose={() => setCreating(false)} />}
      {removed && (
        <ConfirmDialog
          title={t('delete')}
          operation="DeleteApiKey"
          request={{ params: { id: removed.id } }}
          rereads={['ListApiKeys']}
          onClose={() => setRemoved(undefined)}
          said={t('deleted')}
        >
          {t('deleteText', { name: removed.name })}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function useColumns(onRemove: (key: Key) => void): readonly Column<Key>[] {
  const t = useTexts(texts);
  const may = useMay();
  const { dateTime } = useFormats();
  const when = (time: string | null | undefined) => (time ? dateTime(time) : t('never'));
  const actions = useActions((key: Key) => [
    may('apikey:delete') && { label: t('delete'), icon: 'trash', danger: true, onSelect: () => onRemove(key) },
  ]);
  return [
    { heading: t('name'), cell: ({ name }) => name },
    {
      heading: t('permissions'),
      isWide: true,
      cell: ({ permissions }) => permissions?.join(', ') ?? t('all'),
    },
    { heading: t('lastUsed'), isWide: true, cell: ({ lastUsedAt }) => when(lastUsedAt) },
    { heading: t('expires'), cell: ({ expiresAt }) => when(expiresAt) },
    actions,
  ];
}
