import { useState } from 'react';
import { useAsk, wholeList } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { AddButton } from '../../kit/button.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { ProfileSelect, useProfiles } from '../../profiles/profile-select.tsx';
import { texts as shared } from '../../groups/texts.ts';
import { useMay } from '../../session/me.tsx';
import { CreateGroupDialog } from './create-group.tsx';
import { texts } from './texts.ts';

type Group = AnswerOf<'ListGroups'>[number];

export function PageContent() {
  const t = useTexts(texts);
  const may = useMay();
  const profiles = useProfiles();
  const [chosen, setChosen] = useState('');
  const [isCreating, setCreating] = useState(false);
  const first = profiles.find(({ status }) => status === 'connected') ?? profiles[0];
  const profileId = chosen === '' ? (first?.id ?? '') : chosen;
  const create = may('group:manage') && profileId !== '' && (
    <AddButton label={t('create')} onAdd={() => setCreating(true)} />
  );
  return (
    <Page title={t('title')} actions={create}>
      {profileId === '' ? (
        <Empty icon="groups" title={t('noProfile')}>
          {t('noProfileText')}
        </Empty>
      ) : (
        <>
          <div className="max-w-72">
            <ProfileSelect name="profileId" value={profileId} onValue={setChosen} />
          </div>
          <GroupsTable key={profileId} profileId={profileId} />
        </>
      )}
      {isCreating && <CreateGroupDialog profileId={profileId} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function GroupsTable({ profileId }: { readonly profileId: string }) {
  const t = useTexts(texts);
  const groups = useAsk('ListGroups', { params: { profileId } });
  useRereadOn({ 'group.*': ['ListGroups'], 'connection.ready': ['ListGroups'] });
  return (
    <Table
      label={t('title')}
      pages={wholeList(groups.data ?? [], groups)}
      keyOf={({ id }) => id}
      columns={useColumns(profileId)}
      empty={
        <Empty icon="groups" title={t('empty')}>
          {t('emptyText')}
        </Empty>
      }
    />
  );
}

function useColumns(profileId: string): readonly Column<Group>[] {
  const t = useTexts(texts);
  const of = useTexts(shared);
  const { date, number } = useFormats();
  return [
    {
      heading: of('name'),
      cell: ({ id, name }) => (
        <PageLink to={`/groups/${profileId}/${id}`}>
          <bdi>{name}</bdi>
        </PageLink>
      ),
    },
    { heading: t('members'), cell: ({ participantsCount }) => number(participantsCount) },
    { heading: of('description'), isWide: true, cell: ({ description }) => <bdi>{description}</bdi> },
    { heading: t('made'), isWide: true, cell: ({ createdAt }) => date(createdAt) },
  ];
}
