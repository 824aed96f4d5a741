import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { ResultsTable, type Results } from '../../groups/results.tsx';
import { AddButton, Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { useMay } from '../../session/me.tsx';
import { AddParticipantsDialog, EditGroupDialog } from './group-dialogs.tsx';
import { InviteCard } from './invite.tsx';
import { Members } from './members.tsx';
import { texts } from './texts.ts';

type Group = AnswerOf<'GetGroup'>;

export function PageContent() {
  const { profileId = '', groupId = '' }: { readonly profileId?: string; readonly groupId?: string } = useParams({
    strict: false,
  });
  const group = useAsk('GetGroup', { params: { groupId }, query: { profileId } });
  useRereadOn({ 'group.*': ['GetGroup'] });
  return <Loaded of={group}>{(found) => <GroupPage key={found.id} group={found} profileId={profileId} />}</Loaded>;
}

function GroupPage({ group, profileId }: { readonly group: Group; readonly profileId: string }) {
  const t = useTexts(texts);
  const may = useMay();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'add' | 'leave'>();
  const [results, setResults] = useState<Results>();
  const close = () => setOpen(undefined);
  return (
    <Page
      title={group.name}
      above={<PageLink to="/groups">{t('above')}</PageLink>}
      actions={
        may('group:manage') && (
          <>
            <Button icon="edit" onClick={() => setOpen('edit')}>
              {t('edit')}
            </Button>
            <Button icon="out" onClick={() => setOpen('leave')}>
              {t('leave')}
            </Button>
            <AddButton label={t('add')} onAdd={() => setOpen('add')} />
          </>
        )
      }
    >
      {group.description !== '' && <p className="whitespace-pre-wrap wrap-anywhere">{group.description}</p>}
      {results && <ResultsTable results={results} />}
      <Members group={group} profileId={profileId} onResults={setResults} />
      <InviteCard groupId={group.id} profileId={profileId} />
      {open === 'edit' && <EditGroupDialog group={group} profileId={profileId} onClose={close} />}
      {open === 'add' && (
        <AddParticipantsDialog
          groupId={group.id}
          profileId={profileId}
          onClose={close}
          onResults={(told) => {
            setResults(told);
            close();
          }}
        />
      )}
      {open === 'leave' && (
        <ConfirmDialog
          title={t('leave')}
          submit={t('leave')}
          typedName={group.name}
          operation="LeaveGroup"
          request={{ params: { groupId: group.id }, body: { profileId } }}
          rereads={['ListGroups']}
          onClose={close}
          said={t('left')}
          onDone={() => void navigate({ to: '/groups' })}
        >
          {t('leaveText')}
        </ConfirmDialog>
      )}
    </Page>
  );
}
