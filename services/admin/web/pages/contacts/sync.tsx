import { useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import { FormDialog } from '../../kit/form.tsx';
import { useSay } from '../../kit/say.tsx';
import { useTexts } from '../../language/language.tsx';
import { ProfileSelect, useProfiles } from '../../profiles/profile-select.tsx';
import { texts } from './texts.ts';

/** Takes the address book of a phone over. */
export function SyncDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const say = useSay();
  const profiles = useProfiles();
  const [chosen, setChosen] = useState('');
  const profileId = chosen === '' ? (profiles[0]?.id ?? '') : chosen;
  const { write, problem, isBusy } = useWrite('SyncContacts', 'ListContacts');
  const request = { body: { profileId } };
  const submit = async () => {
    const done = await write(request);
    if (done === undefined) return;
    say(t('synced', { created: done.answer.created, updated: done.answer.updated }));
    onClose();
  };
  return (
    <FormDialog
      title={t('sync')}
      submit={t('syncSubmit')}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'SyncContacts', request }}
    >
      <p className="text-muted">{t('syncText')}</p>
      <ProfileSelect name="profileId" value={profileId} onValue={setChosen} />
    </FormDialog>
  );
}
