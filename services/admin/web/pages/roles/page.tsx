import { useState } from 'react';
import { useList } from '../../api/asking.ts';
import { AddButton } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { useActions } from '../../kit/actions.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { PermissionMatrix } from './matrix.tsx';
import { CreateRoleDialog, EditRoleDialog, type Role } from './role-dialogs.tsx';
import { texts } from './texts.ts';

type Open = { readonly what: 'edit' | 'delete'; readonly role: Role } | { readonly what: 'create' };

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const [open, setOpen] = useState<Open>();
  const roles = useList('ListRoles', { query: {} });
  const columns = useColumns(setOpen);
  const close = () => setOpen(undefined);
  return (
    <Page
      title={t('title')}
      actions={may('role:manage') && <AddButton label={t('create')} onAdd={() => setOpen({ what: 'create' })} />}
    >
      <Table
        label={t('title')}
        columns={columns}
        pages={roles}
        keyOf={({ id }) => id}
        empty={<Empty icon="roles" title={t('empty')} />}
      />
      {roles.items.length > 0 && <PermissionMatrix roles={roles.items} />}
      {open?.what === 'create' && <CreateRoleDialog onClose={close} />}
      {open?.what === 'edit' && <EditRoleDialog role={open.role} onClose={close} />}
      {open?.what === 'delete' && (
        <ConfirmDialog
          title={t('delete')}
          operation="DeleteRole"
          request={{ params: { id: open.role.id } }}
          rereads={['ListRoles']}
          onClose={close}
          said={t('deleted')}
        >
          {t('deleteText', { name: open.role.name })}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function useColumns(onOpen: (open: Open) => void): readonly Column<Role>[] {
  const t = useTexts(texts);
  const may = useMay();
  const { number } = useFormats();
  const actions = useActions((role: Role) =>
    may('role:manage') && !role.isSystem
      ? [
          { label: t('edit'), icon: 'edit', onSelect: () => onOpen({ what: 'edit', role }) },
          { label: t('delete'), icon: 'trash', danger: true, onSelect: () => onOpen({ what: 'delete', role }) },
        ]
      : [],
  );
  return [
    { heading: t('name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { heading: t('description'), isWide: true, cell: ({ description }) => <bdi>{description ?? ''}</bdi> },
    { heading: t('kind'), cell: ({ isSystem }) => <span className="badge">{t(isSystem ? 'system' : 'own')}</span> },
    { heading: t('permissions'), cell: ({ permissions }) => number(permissions.length) },
    actions,
  ];
}
