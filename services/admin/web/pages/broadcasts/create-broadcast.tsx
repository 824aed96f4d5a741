import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createRequest, emptyDraft } from '../../broadcasts/draft.ts';
import { BroadcastFields } from '../../broadcasts/fields.tsx';
import { useFields } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { ProfileSelect } from '../../profiles/profile-select.tsx';
import { texts } from './texts.ts';

/** Drafts a broadcast, and leads to it. */
export function CreateBroadcastDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const [profileId, setProfileId] = useState('');
  const fields = useFields(emptyDraft);
  return (
    <WriteDialog
      title={t('create')}
      submit={t('submit')}
      operation="CreateBroadcast"
      request={createRequest(profileId, fields.values)}
      rereads={['ListBroadcasts']}
      said={t('created')}
      onClose={onClose}
      onDone={({ id }) => {
        onClose();
        void navigate({ to: `/broadcasts/${id}` });
      }}
    >
      <BroadcastFields {...fields} profileId={profileId}>
        <ProfileSelect name="profileId" value={profileId} onValue={setProfileId} />
      </BroadcastFields>
    </WriteDialog>
  );
}
