import { useState } from 'react';
import { useList } from '../../api/asking.ts';
import { AddButton } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { PageLink } from '../../kit/link.tsx';
import { useActions } from '../../kit/actions.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { texts } from './texts.ts';
import { CreateWorkspaceDialog, EditWorkspaceDialog, type Workspace } from './workspace-dialogs.tsx';

type Open = { readonly what: 'edit' | 'delete'; readonly workspace: Workspace } | { readonly what: 'create' };

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const [open, setOpen] = useState<Open>();
  const workspaces = useList('ListWorkspaces', { query: {} });
  const columns = useColumns(setOpen);
  const close = () => setOpen(undefined);
  const create = may('workspace:create') && <AddButton label={t('create')} onAdd={() => setOpen({ what: 'create' })} />;
  return (
    <Page title={t('title')} actions={create}>
      <Table
        label={t('title')}
        columns={columns}
        pages={workspaces}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="workspaces" title={t('empty')} action={create}>
            {t('emptyText')}
          </Empty>
        }
      />
      {open?.what === 'create' && <CreateWorkspaceDialog onClose={close} />}
      {open?.what === 'edit' && <EditWorkspaceDialog workspace={open.workspace} onClose={close} />}
      {open?.what === 'delete' && (
        <ConfirmDialog
          title={t('delete')}
          operation="DeleteWorkspace"
          request={{ params: { id: open.workspace.id } }}
          rereads={['ListWorkspaces']}
          onClose={close}
          said={t('deleted')}
        >
          {t('deleteText', { name: open.workspace.name })}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function useColumns(onOpen: (open: Open) => void): readonly Column<Workspace>[] {
  const t = useTexts(texts);
  const may = useMay();
  const { date } = useFormats();
  const accounts: Column<Workspace> = {
    heading: t('accounts'),
    cell: ({ id }) => <PageLink to={`/accounts?workspace=${id}`}>{t('showAccounts')}</PageLink>,
  };
  const actions = useActions((workspace: Workspace) => [
    may('workspace:update') && {
      label: t('edit'),
      icon: 'edit',
      onSelect: () => onOpen({ what: 'edit', workspace }),
    },
    may('workspace:delete') && {
      label: t('delete'),
      icon: 'trash',
      danger: true,
      onSelect: () => onOpen({ what: 'delete', workspace }),
    },
  ]);
  return [
    { heading: t('name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { heading: t('description'), isWide: true, cell: ({ description }) => <bdi>{description ?? ''}</bdi> },
    ...(may('profile:read') ? [accounts] : []),
    { heading: t('created'), isWide: true, cell: ({ createdAt }) => date(createdAt) },
    actions,
  ];
}
