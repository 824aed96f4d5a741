import { useState } from 'react';
import { useList } from '../../api/asking.ts';
import { AddButton } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { useActions } from '../../kit/actions.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useMay, useMe } from '../../session/me.tsx';
import { ChangeRoleDialog, InviteMemberDialog, type Member } from './member-dialogs.tsx';
import { texts } from './texts.ts';

type Open = { readonly what: 'role' | 'remove'; readonly member: Member } | { readonly what: 'invite' };

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const [open, setOpen] = useState<Open>();
  const members = useList('ListMembers', { query: {} });
  const columns = useColumns(setOpen);
  const close = () => setOpen(undefined);
  return (
    <Page
      title={t('title')}
      actions={may('user:invite') && <AddButton label={t('invite')} onAdd={() => setOpen({ what: 'invite' })} />}
    >
      <Table
        label={t('title')}
        columns={columns}
        pages={members}
        keyOf={({ id }) => id}
        empty={<Empty icon="members" title={t('empty')} />}
      />
      {open?.what === 'invite' && <InviteMemberDialog onClose={close} />}
      {open?.what === 'role' && <ChangeRoleDialog member={open.member} onClose={close} />}
      {open?.what === 'remove' && (
        <ConfirmDialog
          title={t('remove')}
          operation="RemoveMember"
          request={{ params: { id: open.member.id } }}
          rereads={['ListMembers']}
          onClose={close}
          said={t('removed')}
        >
          {t('removeText', { name: open.member.name })}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function useColumns(onOpen: (open: Open) => void): readonly Column<Member>[] {
  const t = useTexts(texts);
  const may = useMay();
  const me = useMe();
  const { date } = useFormats();
  const actions = useActions((member: Member) => [
    may('role:manage') && {
      label: t('changeRole'),
      icon: 'roles',
      onSelect: () => onOpen({ what: 'role', member }),
    },
    may('user:remove') && {
      label: t('remove'),
      icon: 'trash',
      danger: true,
      onSelect: () => onOpen({ what: 'remove', member }),
    },
  ]);
  return [
    {
      heading: t('name'),
      cell: ({ id, name, mustChangePassword }) => (
        <span className="flex flex-wrap items-center gap-2">
          <bdi>{name}</bdi>
          {id === me.id && <span className="badge badge-accent">{t('you')}</span>}
          {mustChangePassword && <span className="badge badge-warn">{t('temporary')}</span>}
        </span>
      ),
    },
    { heading: t('email'), cell: ({ email }) => <bdi className="wrap-anywhere">{email}</bdi> },
    { heading: t('role'), cell: ({ role }) => <bdi>{role}</bdi> },
    { heading: t('joined'), isWide: true, cell: ({ joinedAt }) => date(joinedAt) },
    actions,
  ];
}
