import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/confirm.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { useTexts } from '../../language/language.tsx';
import { useLiveProfiles } from '../../profiles/live-profiles.ts';
import { useMay } from '../../session/me.tsx';
import { ConnectionCard } from './connection.tsx';
import { HealthCard } from './health.tsx';
import { LimitsCard } from './limits.tsx';
import { LinkPagesCard } from './link-pages.tsx';
import { texts } from './texts.ts';

export function PageContent() {
  const { profileId: id = '' }: { readonly profileId?: string } = useParams({ strict: false });
  const profile = useAsk('GetProfile', { params: { id } });
  useLiveProfiles();
  return <Loaded of={profile}>{(found) => <ProfilePage key={found.id} profile={found} />}</Loaded>;
}

function ProfilePage({ profile }: { readonly profile: AnswerOf<'GetProfile'> }) {
  const t = useTexts(texts);
  const may = useMay();
  const navigate = useNavigate();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <Page
      title={profile.name}
      above={<PageLink to="/profiles">{t('above')}</PageLink>}
      actions={
        may('profile:delete') && (
          <Button icon="trash" onClick={() => setRemoving(true)}>
            {t('remove')}
          </Button>
        )
      }
    >
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <ConnectionCard profile={profile} />
        <LimitsCard profile={profile} />
        <HealthCard profileId={profile.id} />
      </div>
      {may('profile:connect') && <LinkPagesCard profileId={profile.id} />}
      {isRemoving && (
        <ConfirmDialog
          title={t('remove')}
          typedName={profile.name}
          operation="DeleteProfile"
          request={{ params: { id: profile.id } }}
          rereads={['ListProfiles']}
          onClose={() => setRemoving(false)}
          said={t('removed')}
          onDone={() => void navigate({ to: '/profiles' })}
        >
          {t('removeText')}
        </ConfirmDialog>
      )}
    </Page>
  );
}
