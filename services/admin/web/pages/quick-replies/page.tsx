import { useState } from 'react';
import { useList } from '../../api/asking.ts';
import { AddButton } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { useActions } from '../../kit/actions.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useTexts } from '../../language/language.tsx';
import { ProfileName } from '../../profiles/profile-name.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { CreateQuickReplyDialog, EditQuickReplyDialog, type QuickReply } from './dialogs.tsx';
import { texts } from './texts.ts';

type Open = 'create' | { readonly edit: QuickReply } | { readonly remove: QuickReply };

export function PageContent() {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const may = useMay();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const replies = useList('ListQuickReplies', { query: {} });
  const columns = useColumns(setOpen);
  const create = may('automation:create') && <AddButton label={t('create')} onAdd={() => setOpen('create')} />;
  return (
    <Page title={t('title')} actions={create}>
      <Table
        label={t('title')}
        columns={columns}
        pages={replies}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="quick" title={t('empty')} action={create}>
            {t('emptyText')}
          </Empty>
        }
      />
      {open === 'create' && <CreateQuickReplyDialog onClose={close} />}
      {typeof open === 'object' && 'edit' in open && <EditQuickReplyDialog reply={open.edit} onClose={close} />}
      {typeof open === 'object' && 'remove' in open && (
        <ConfirmDialog
          title={common('remove')}
          operation="DeleteQuickReply"
          request={{ params: { id: open.remove.id } }}
          rereads={['ListQuickReplies']}
          onClose={close}
          said={common('removed')}
        >
          {t('removeText', { name: open.remove.shortcut })}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function useColumns(setOpen: (open: Open) => void): readonly Column<QuickReply>[] {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const may = useMay();
  const actions = useActions((reply: QuickReply) => [
    may('automation:update') && {
      label: common('edit'),
      icon: 'edit',
      onSelect: () => setOpen({ edit: reply }),
    },
    may('automation:delete') && {
      label: common('remove'),
      icon: 'trash',
      danger: true,
      onSelect: () => setOpen({ remove: reply }),
    },
  ]);
  return [
    { heading: t('shortcut'), cell: ({ shortcut }) => <bdi className="font-mono">{shortcut}</bdi> },
    { heading: t('headline'), cell: ({ title }) => <bdi>{title}</bdi> },
    {
      heading: common('message'),
      isWide: true,
      cell: ({ message }) => (
        <p className="line-clamp-2 max-w-md [overflow-wrap:anywhere]" dir="auto">
          {message}
        </p>
      ),
    },
    { heading: common('profile'), isWide: true, cell: ({ profileId }) => <ProfileName id={profileId} /> },
    actions,
  ];
}
