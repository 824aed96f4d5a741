import { useDeferredValue, useState } from 'react';
import { useList, useReread } from '../../api/asking.ts';
import { ask } from '../../api/client.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { AddButton, Button } from '../../kit/button.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { useSay } from '../../kit/say.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useLiveProfiles } from '../../profiles/live-profiles.ts';
import { RestrictedBadge } from '../../profiles/restricted-badge.tsx';
import { StatusBadge } from '../../profiles/status-badge.tsx';
import { useMay } from '../../session/me.tsx';
import { CreateProfileDialog } from './create-profile.tsx';
import { texts } from './texts.ts';
import { SearchField } from '../../kit/filters.tsx';

type Profile = AnswerOf<'ListProfiles'>['items'][number];

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const [isCreating, setCreating] = useState(false);
  const [sought, setSought] = useState('');
  const search = useDeferredValue(sought.trim());
  const [selected, setSelected] = useState<readonly string[]>([]);
  const profiles = useList('ListProfiles', { query: search === '' ? {} : { search } });
  useLiveProfiles();
  const columns = useColumns(selected, setSelected);
  const create = may('profile:create') && <AddButton label={t('create')} onAdd={() => setCreating(true)} />;
  return (
    <Page title={t('title')} actions={create}>
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label={t('search')} maxLength={100} value={sought} onValue={setSought} />
        {selected.length > 0 && <ManyActions ids={selected} onDone={() => setSelected([])} />}
      </div>
      <Table
        label={t('title')}
        columns={columns}
        pages={profiles}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="profiles" title={t('empty')} action={create}>
            {t('emptyText')}
          </Empty>
        }
      />
      {isCreating && <CreateProfileDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function useColumns(
  selected: readonly string[],
  onSelect: (ids: readonly string[]) => void,
): readonly Column<Profile>[] {
  const t = useTexts(texts);
  const may = useMay();
  const { number, dateTime } = useFormats();
  const selecting: Column<Profile> = {
    heading: t('select'),
    isHeadingHidden: true,
    className: 'w-10',
    cell: ({ id, name }) => (
      <input
        type="checkbox"
        className="size-4 accent-accent"
        aria-label={t('selectOne', { name })}
        checked={selected.includes(id)}
        onChange={({ target }) => onSelect(target.checked ? [...selected, id] : selected.filter((one) => one !== id))}
      />
    ),
  };
  return [
    ...(may('profile:connect') ? [selecting] : []),
    {
      heading: t('name'),
      cell: ({ id, name }) => <PageLink to={`/profiles/${id}`}>{name}</PageLink>,
    },
    {
      heading: t('status'),
      cell: ({ status, restriction }) => (
        <span className="flex flex-wrap gap-1">
          <StatusBadge status={status} />
          <RestrictedBadge restriction={restriction} />
        </span>
      ),
    },
    {
      heading: t('number'),
      isWide: true,
      cell: ({ phoneNumber }) => <span dir="ltr">{phoneNumber === null ? '–' : `+${phoneNumber}`}</span>,
    },
    {
      heading: t('today'),
      cell: ({ dailyMessageCount: sent, dailyMessageLimit: limit }) =>
        limit === null ? number(sent) : t('ofLimit', { sent, limit }),
    },
    {
      heading: t('delay'),
      isWide: true,
      cell: ({ messageDelayMs }) => t('seconds', { seconds: messageDelayMs / 1000 }),
    },
    {
      heading: t('lastConnected'),
      isWide: true,
      cell: ({ lastConnectedAt }) => (lastConnectedAt === null ? t('never') : dateTime(lastConnectedAt)),
    },
  ];
}

/** Connects or disconnects what was selected, one after the other. */
function ManyActions({ ids, onDone }: { readonly ids: readonly string[]; readonly onDone: () => void }) {
  const t = useTexts(texts);
  const say = useSay();
  const reread = useReread();
  const [isBusy, setBusy] = useState(false);
  const all = async (name: 'ConnectProfile' | 'DisconnectProfile') => {
    setBusy(true);
    let failed = 0;
    for (const id of ids) await ask(name, { params: { id } }).catch(() => (failed += 1));
    setBusy(false);
    reread('ListProfiles');
    say(t('outcome', { done: ids.length - failed, failed }));
    onDone();
  };
  return (
    <>
      <Button icon="link" busy={isBusy} onClick={() => void all('ConnectProfile')}>
        {t('connectSelected')}
      </Button>
      <Button icon="unlink" busy={isBusy} onClick={() => void all('DisconnectProfile')}>
        {t('disconnectSelected')}
      </Button>
    </>
  );
}
