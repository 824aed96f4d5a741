import { useState } from 'react';
import { useList } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { useSay } from '../../kit/say.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { CreateApiKeyDialog } from './create-api-key.tsx';
import { texts } from './texts.ts';

type Key = AnswerOf<'ListApiKeys'>['items'][number];

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const say = useSay();
  const [isCreating, setCreating] = useState(false);
  const [removed, setRemoved] = useState<Key>();
  const keys = useList('ListApiKeys', { query: {} });
  const columns = useColumns(setRemoved);
  const create = may('apikey:create') && (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      {t('create')}
    </Button>
  );
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
          onDone={() => {
            setRemoved(undefined);
            say(t('deleted'));
          }}
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
  return [
    { heading: t('name'), cell: ({ name }) => name },
    {
      heading: t('permissions'),
      isWide: true,
      cell: ({ permissions }) => permissions?.join(', ') ?? t('all'),
    },
    { heading: t('lastUsed'), isWide: true, cell: ({ lastUsedAt }) => when(lastUsedAt) },
    { heading: t('expires'), cell: ({ expiresAt }) => when(expiresAt) },
    {
      heading: t('actions'),
      isHeadingHidden: true,
      className: 'w-10 text-end',
      cell: (key) => (
        <Menu
          label={t('actions')}
          items={[
            may('apikey:delete') && { label: t('delete'), icon: 'trash', danger: true, onSelect: () => onRemove(key) },
          ]}
        />
      ),
    },
  ];
}
