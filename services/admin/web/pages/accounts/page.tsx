import { useSearch } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { useList } from '../../api/asking.ts';
import { AddButton } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { Select } from '../../kit/fields.tsx';
import { useActions } from '../../kit/actions.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { CreateAccountDialog, EditAccountDialog, useWorkspaces, type Account } from './account-dialogs.tsx';
import { texts } from './texts.ts';
import { SearchField } from '../../kit/filters.tsx';

type Open = { readonly what: 'edit' | 'delete'; readonly account: Account } | { readonly what: 'create' };

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const asked: { readonly workspace?: unknown } = useSearch({ strict: false });
  const [open, setOpen] = useState<Open>();
  const [sought, setSought] = useState('');
  const [workspaceId, setWorkspaceId] = useState(typeof asked.workspace === 'string' ? asked.workspace : '');
  const search = useDeferredValue(sought.trim());
  const workspaces = useWorkspaces();
  const accounts = useList('ListAccounts', {
    query: { ...(search !== '' && { search }), ...(workspaceId !== '' && { workspaceId }) },
  });
  const columns = useColumns(setOpen);
  const close = () => setOpen(undefined);
  const create = may('profile:create') && <AddButton label={t('create')} onAdd={() => setOpen({ what: 'create' })} />;
  return (
    <Page title={t('title')} actions={create}>
      <div className="flex flex-wrap items-end gap-3">
        <SearchField label={t('search')} maxLength={100} value={sought} onValue={setSought} />
        {workspaces.length > 1 && (
          <Select
            label={t('workspace')}
            name="workspace"
            value={workspaceId}
            onValue={setWorkspaceId}
            choices={[
              { value: '', label: t('workspaceAll') },
              ...workspaces.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
      </div>
      <Table
        label={t('title')}
        columns={columns}
        pages={accounts}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="accounts" title={t('empty')} action={create}>
            {t('emptyText')}
          </Empty>
        }
      />
      {open?.what === 'create' && <CreateAccountDialog workspaceId={workspaceId} onClose={close} />}
      {open?.what === 'edit' && <EditAccountDialog account={open.account} onClose={close} />}
      {open?.what === 'delete' && (
        <ConfirmDialog
          title={t('delete')}
          operation="DeleteAccount"
          request={{ params: { id: open.account.id } }}
          rereads={['ListAccounts']}
          onClose={close}
          said={t('deleted')}
        >
          {t('deleteText', { name: open.account.name })}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function useColumns(onOpen: (open: Open) => void): readonly Column<Account>[] {
  const t = useTexts(texts);
  const may = useMay();
  const workspaces = useWorkspaces();
  const { date } = useFormats();
  const actions = useActions((account: Account) => [
    may('profile:update') && {
      label: t('edit'),
      icon: 'edit',
      onSelect: () => onOpen({ what: 'edit', account }),
    },
    may('profile:delete') && {
      label: t('delete'),
      icon: 'trash',
      danger: true,
      onSelect: () => onOpen({ what: 'delete', account }),
    },
  ]);
  return [
    { heading: t('name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { heading: t('description'), isWide: true, cell: ({ description }) => <bdi>{description ?? ''}</bdi> },
    {
      heading: t('workspace'),
      cell: ({ workspaceId }) => <bdi>{workspaces.find(({ id }) => id === workspaceId)?.name ?? '–'}</bdi>,
    },
    { heading: t('created'), isWide: true, cell: ({ createdAt }) => date(createdAt) },
    actions,
  ];
}
