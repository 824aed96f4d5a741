import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { Form } from '../../kit/form.tsx';
import { useTexts } from '../../language/language.tsx';
import { ProfileSelect, useProfiles } from '../../profiles/profile-select.tsx';
import { texts } from './texts.ts';

/** Writes to somebody first: leads to the conversation with the number, also when there is none yet. */
export function NewConversationDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const profiles = useProfiles();
  const { values, bind, set } = useFields({ profileId: '', phone: '' });
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const [only] = profiles.filter(({ status }) => status === 'connected');
  const profileId = values.profileId === '' ? (only?.id ?? profiles[0]?.id ?? '') : values.profileId;
  const start = async () => {
    const digits = values.phone.replace(/\D/g, '');
    if (profileId === '' || digits === '') {
      const details = [{ path: digits === '' ? 'phone' : 'profileId', message: t('chooseProfile') }];
      return setProblem(new Problem(t('chooseProfile'), { kind: 'refused', status: 400, details }));
    }
    setBusy(true);
    try {
      const { items } = await ask('ListConversations', { query: { profileId, search: digits, limit: 10 } });
      const known = items.find(({ jid }) => jid === `${digits}@c.us`);
      onClose();
      await navigate(
        known ? { to: `/inbox/${known.id}` } : { to: '/inbox/new', search: { profile: profileId, to: digits } },
      );
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={t('newConversation')} onClose={onClose}>
      <Form onSubmit={isBusy ? () => undefined : start} problem={problem}>
        <ProfileSelect name="profileId" value={profileId} onValue={(chosen) => set({ profileId: chosen })} />
        <TextField label={t('phone')} hint={t('phoneHint')} type="tel" dir="ltr" autoFocus {...bind('phone')} />
        <div className="flex justify-end">
          <Button type="submit" kind="primary" busy={isBusy}>
            {t('start')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
