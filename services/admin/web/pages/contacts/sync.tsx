import { useState } from 'react';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { ProfileSelect, useProfiles, useProfilesAwaited } from '../../profiles/profile-select.tsx';
import { texts } from './texts.ts';

/** Takes the address book of a phone over. */
export function SyncDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const profiles = useProfiles();
  const isWaiting = useProfilesAwaited();
  const [chosen, setChosen] = useState('');
  const profileId = chosen === '' ? (profiles[0]?.id ?? '') : chosen;
  const request = { body: { profileId } };
  return (
    <WriteDialog
      title={t('sync')}
      submit={t('syncSubmit')}
      operation="SyncContacts"
      request={request}
      rereads={['ListContacts']}
      said={(answer) => t('synced', { created: answer.created, updated: answer.updated })}
      isWaiting={isWaiting}
      onClose={onClose}
    >
      <p className="text-muted">{t('syncText')}</p>
      <ProfileSelect name="profileId" value={profileId} onValue={setChosen} />
    </WriteDialog>
  );
}
