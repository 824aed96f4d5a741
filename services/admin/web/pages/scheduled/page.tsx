import { useState, type ReactNode } from 'react';
import { useList } from '../../api/asking.ts';
import { summaryOf } from '../../content/composing.ts';
import { typeWords } from '../../content/texts.ts';
import { AddButton } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { useActions } from '../../kit/actions.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { ChosenProfile, useChosenProfile } from '../../profiles/chosen-profile.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { EditScheduledDialog, isEditable, ScheduleDialog, type Scheduled } from './dialogs.tsx';
import { statusWords, texts } from './texts.ts';
import { ChoiceFilter } from '../../kit/filters.tsx';

type Open = 'create' | { readonly edit: Scheduled } | { readonly cancel: Scheduled };
const statuses = ['pending', 'sent', 'failed', 'cancelled'] as const;

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const chosen = useChosenProfile();
  const [open, setOpen] = useState<Open>();
  const create = may('message:send') && chosen.id !== '' && (
    <AddButton label={t('create')} onAdd={() => setOpen('create')} />
  );
  return (
    <Page title={t('title')} actions={create}>
      <ChosenProfile chosen={chosen}>
        <ScheduledOf key={chosen.id} profileId={chosen.id} create={create} open={open} onOpen={setOpen} />
      </ChosenProfile>
    </Page>
  );
}

interface Given {
  readonly profileId: string;
  readonly create: ReactNode;
  readonly open: Open | undefined;
  readonly onOpen: (open: Open | undefined) => void;
}

function ScheduledOf({ profileId, create, open, onOpen }: Given) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const words = useTexts(statusWords);
  const [status, setStatus] = useState<Scheduled['status'] | ''>('');
  const query = status === '' ? {} : { status };
  const scheduled = useList('ListScheduledMessages', { params: { id: profileId }, query });
  useRereadOn({ 'message.sent': ['ListScheduledMessages'], 'message.failed': ['ListScheduledMessages'] });
  const columns = useColumns(onOpen);
  const close = () => onOpen(undefined);
  return (
    <>
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
        pages={scheduled}
        keyOf={({ id }) => id}
        empty={
          status === '' ? (
            <Empty icon="scheduled" title={t('empty')} action={create}>
              {t('emptyText')}
            </Empty>
          ) : (
            <Empty icon="search" title={t('none')} />
          )
        }
      />
      {open === 'create' && <ScheduleDialog profileId={profileId} onClose={close} />}
      {typeof open === 'object' && 'edit' in open && <EditScheduledDialog scheduled={open.edit} onClose={close} />}
      {typeof open === 'object' && 'cancel' in open && (
        <ConfirmDialog
          title={t('cancel')}
          submit={t('cancel')}
          operation="CancelScheduledMessage"
          request={{ params: { id: open.cancel.id } }}
          rereads={['ListScheduledMessages']}
          onClose={close}
          said={t('cancelled')}
        >
          {t('cancelText')}
        </ConfirmDialog>
      )}
    </>
  );
}

const looks = { pending: 'badge-accent', sent: 'badge-ok', failed: 'badge-danger', cancelled: '' } as const;

function useColumns(onOpen: (open: Open) => void): readonly Column<Scheduled>[] {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const words = useTexts(statusWords);
  const types = useTexts(typeWords);
  const may = useMay();
  const { dateTime } = useFormats();
  const actions = useActions((scheduled: Scheduled) => [
    may('message:send') &&
      isEditable(scheduled) && {
        label: common('edit'),
        icon: 'edit',
        onSelect: () => onOpen({ edit: scheduled }),
      },
    may('message:send') &&
      scheduled.status === 'pending' && {
        label: t('cancel'),
        icon: 'ban',
        danger: true,
        onSelect: () => onOpen({ cancel: scheduled }),
      },
  ]);
  return [
    { heading: t('when'), cell: ({ scheduledAt }) => dateTime(scheduledAt) },
    { heading: t('recipient'), cell: ({ to }) => <bdi dir="ltr">{to.replace(/@c\.us$/, '')}</bdi> },
    {
      heading: common('message'),
      isWide: true,
      cell: ({ type, content }) => (
        <p className="line-clamp-2 max-w-md [overflow-wrap:anywhere]" dir="auto">
          {summaryOf(content) || types(type)}
        </p>
      ),
    },
    {
      heading: common('status'),
      cell: ({ status, late, error }) => (
        <span className="flex flex-wrap items-center gap-1">
          <span className={`badge ${looks[status]}`}>{words(status)}</span>
          {late && <span className="badge badge-warn">{t('late')}</span>}
          {error !== null && <span className="text-danger">{error.message}</span>}
        </span>
      ),
    },
    actions,
  ];
}
