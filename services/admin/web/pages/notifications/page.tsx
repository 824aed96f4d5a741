import { useState } from 'react';
import { useList, useWrite } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { Radios, Select } from '../../kit/fields.tsx';
import { Icon, type IconName } from '../../kit/icon.tsx';
import { useInAddress } from '../../kit/in-address.ts';
import { PageLink } from '../../kit/link.tsx';
import { Menu } from '../../kit/menu.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useSay } from '../../kit/say.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { texts, typeWords } from './texts.ts';

type Notification = AnswerOf<'ListNotifications'>['items'][number];
type Kind = Notification['type'];

const kinds = Object.keys(typeWords) as readonly Kind[];
const lists = ['ListNotifications', 'CountUnreadNotifications'] as const;
/** There may be a new one every second. */
const restMs = 10_000;

export function PageContent() {
  const t = useTexts(texts);
  const words = useTexts(typeWords);
  const say = useSay();
  const { values, bind } = useInAddress({ show: 'all', type: '' });
  const [isClearing, setClearing] = useState(false);
  const kind = kinds.find((one) => one === values.type);
  const query = {
    limit: 200,
    ...(values.show === 'unread' && { unread: true }),
    ...(kind !== undefined && { type: kind }),
  };
  const notifications = useList('ListNotifications', { query });
  useRereadOn({ 'notification.created': ['ListNotifications'] }, restMs);
  const readAll = useWrite('ReadAllNotifications', ...lists);
  const columns = useColumns();
  const markAll = async () => {
    const done = await readAll.write({});
    if (done) say(t('allRead', { count: done.answer.updated }));
  };
  const isFiltered = kind !== undefined || values.show === 'unread';
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <Button icon="checks" busy={readAll.isBusy} onClick={() => void markAll()}>
            {t('markAllRead')}
          </Button>
          <Button icon="trash" onClick={() => setClearing(true)}>
            {t('removeAll')}
          </Button>
        </>
      }
    >
      {readAll.problem && <ProblemAlert problem={readAll.problem} />}
      <div className="flex flex-wrap items-end gap-3">
        <Radios
          label={t('show')}
          choices={[
            { value: 'all', label: t('all') },
            { value: 'unread', label: t('unread') },
          ]}
          {...bind('show')}
        />
        <Select
          label={t('type')}
          choices={[
            { value: '', label: t('allTypes') },
            ...kinds.map((value) => ({ value: value as string, label: words(value) })),
          ]}
          {...bind('type')}
        />
      </div>
      <Table
        label={t('title')}
        columns={columns}
        pages={notifications}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="notifications" title={t('none')} action={<PageLink to="/account">{t('toAccount')}</PageLink>}>
            {isFiltered ? t('noneFound') : t('noneText')}
          </Empty>
        }
      />
      {isClearing && (
        <ConfirmDialog
          title={t('removeAll')}
          operation="DeleteAllNotifications"
          request={{}}
          rereads={lists}
          onClose={() => setClearing(false)}
          said={t('removed')}
        >
          {t('removeAllText')}
        </ConfirmDialog>
      )}
    </Page>
  );
}

const icons: Readonly<Record<Kind, IconName>> = {
  message: 'inbox',
  connection: 'profiles',
  broadcast: 'broadcasts',
  automation: 'automation',
  security: 'roles',
  system: 'info',
};

/** The page of what a notification is about. */
function placeOf({ type, metadata }: Notification): string | undefined {
  const { conversationId, broadcastId, webhookId, profileId } = metadata;
  if (typeof conversationId === 'string') return `/inbox/${conversationId}`;
  if (typeof broadcastId === 'string') return `/broadcasts/${broadcastId}`;
  if (typeof webhookId === 'string') return `/webhooks/${webhookId}`;
  if (typeof profileId === 'string') return `/profiles/${profileId}`;
  return type === 'security' ? '/account' : undefined;
}

function useColumns(): readonly Column<Notification>[] {
  const t = useTexts(texts);
  const words = useTexts(typeWords);
  const { dateTime } = useFormats();
  return [
    {
      heading: t('type'),
      isWide: true,
      cell: ({ type }) => (
        <span className="inline-flex items-center gap-2 whitespace-nowrap">
          <Icon name={icons[type]} />
          {words(type)}
        </span>
      ),
    },
    { heading: t('notification'), cell: (notification) => <Told notification={notification} /> },
    {
      heading: t('time'),
      cell: ({ createdAt }) => <time dateTime={createdAt}>{dateTime(createdAt)}</time>,
    },
    {
      heading: t('actions'),
      isHeadingHidden: true,
      className: 'w-12',
      cell: (notification) => <Actions notification={notification} />,
    },
  ];
}

/** What it says, with a way to what it is about; who follows it has read it. */
function Told({ notification }: { readonly notification: Notification }) {
  const t = useTexts(texts);
  const { id, title, body, read, metadata } = notification;
  const { write } = useWrite('ReadNotification', ...lists);
  const place = placeOf(notification);
  const { count } = metadata;
  const name = <bdi>{title}</bdi>;
  return (
    <div className="grid gap-0.5" onClick={() => void (!read && place !== undefined && write({ params: { id } }))}>
      <p className={`flex flex-wrap items-center gap-2 ${read ? '' : 'font-semibold'}`}>
        {place === undefined ? name : <PageLink to={place}>{name}</PageLink>}
        {typeof count === 'number' && count > 1 && <span className="badge">{count}</span>}
        {!read && <span className="badge badge-accent">{t('isUnread')}</span>}
      </p>
      <p dir="auto" className="text-muted">
        {body}
      </p>
    </div>
  );
}

function Actions({ notification: { id, read } }: { readonly notification: Notification }) {
  const t = useTexts(texts);
  const [isRemoving, setRemoving] = useState(false);
  const { write } = useWrite('ReadNotification', ...lists);
  return (
    <>
      <Menu
        label={t('actions')}
        items={[
          !read && { label: t('markRead'), icon: 'check', onSelect: () => void write({ params: { id } }) },
          { label: t('remove'), icon: 'trash', danger: true, onSelect: () => setRemoving(true) },
        ]}
      />
      {isRemoving && (
        <ConfirmDialog
          title={t('remove')}
          operation="DeleteNotification"
          request={{ params: { id } }}
          rereads={lists}
          onClose={() => setRemoving(false)}
          said={t('removed')}
        >
          {t('removeOneText')}
        </ConfirmDialog>
      )}
    </>
  );
}
