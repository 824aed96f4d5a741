import { useDeferredValue, useMemo } from 'react';
import { useList } from '../../api/asking.ts';
import { TextField } from '../../kit/fields.tsx';
import { useInAddress } from '../../kit/in-address.ts';
import { Icon } from '../../kit/icon.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useSummary } from '../../messages/content.tsx';
import { numberOf, type Message } from '../../messages/shapes.ts';
import { StateBadge, useFailureWords } from '../../messages/state.tsx';
import { ProfileSelect, useProfiles } from '../../profiles/profile-select.tsx';
import { useLiveLog, type Request } from './live-log.ts';
import { texts } from './texts.ts';

export function PageContent() {
  const t = useTexts(texts);
  const { values, bind } = useInAddress({ profileId: '', search: '' });
  const profiles = useProfiles();
  const profileId = values.profileId === '' ? (profiles[0]?.id ?? '') : values.profileId;
  const search = useDeferredValue(values.search.trim());
  const request = useMemo<Request>(
    () => ({ params: { profileId }, query: search === '' ? {} : { search } }),
    [profileId, search],
  );
  const messages = useList('ListProfileMessages', request, { when: profileId !== '' });
  const columns = useColumns();
  useLiveLog(profileId === '' ? undefined : request);
  return (
    <Page title={t('title')}>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TextField label={t('search')} hint={t('searchHint')} type="search" maxLength={200} {...bind('search')} />
        <ProfileSelect {...bind('profileId')} value={profileId} />
      </div>
      {profileId === '' ? (
        <Empty icon="messages" title={t('none')} action={<PageLink to="/profiles">{t('toProfiles')}</PageLink>}>
          {t('noProfile')}
        </Empty>
      ) : (
        <Table
          label={t('title')}
          columns={columns}
          pages={messages}
          keyOf={({ id }) => id}
          empty={
            <Empty icon="messages" title={t('none')} action={<PageLink to="/inbox">{t('toInbox')}</PageLink>}>
              {search === '' ? t('noneText') : t('noneFound')}
            </Empty>
          }
        />
      )}
    </Page>
  );
}

function useColumns(): readonly Column<Message>[] {
  const t = useTexts(texts);
  const summary = useSummary();
  const failure = useFailureWords();
  const { dateTime } = useFormats();
  return [
    {
      heading: t('time'),
      className: 'whitespace-nowrap',
      cell: ({ timestamp }) => <time dateTime={timestamp}>{dateTime(timestamp)}</time>,
    },
    {
      heading: t('direction'),
      isWide: true,
      cell: ({ direction }) => (
        <span className="inline-flex items-center gap-1">
          <Icon name={direction === 'incoming' ? 'download' : 'upload'} size={14} />
          {t(direction)}
        </span>
      ),
    },
    {
      heading: t('with'),
      isWide: true,
      cell: ({ direction, from, to, author }) => {
        const jid = direction === 'incoming' ? (author ?? from) : to;
        return <bdi>{jid === null ? '–' : numberOf(jid)}</bdi>;
      },
    },
    {
      heading: t('message'),
      cell: ({ id, content, type }) => (
        <PageLink to={`/messages/${id}`} className="link line-clamp-2">
          <bdi>{summary(content).trim() === '' ? type : summary(content)}</bdi>
        </PageLink>
      ),
    },
    {
      heading: t('state'),
      cell: ({ status, error }) => (
        <span className="grid justify-items-start gap-1">
          <StateBadge status={status} />
          {error !== null && <span className="text-xs text-danger">{failure(error.code) ?? error.message}</span>}
        </span>
      ),
    },
  ];
}
