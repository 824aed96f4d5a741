import { useState } from 'react';
import { TextField, useFields } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

interface Given {
  readonly profileId: string;
  readonly onClose: () => void;
}

/** Links a phone by a code that is typed there, for who cannot scan. It is open until the phone is linked. */
export function PairingDialog({ profileId, onClose }: Given) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ phoneNumber: '' });
  const [code, setCode] = useState<string>();
  const request = { params: { id: profileId }, body: { phoneNumber: values.phoneNumber } };
  return (
    <WriteDialog
      title={t('pair')}
      submit={t('getCode')}
      operation="ConnectProfile"
      request={request}
      rereads={['GetProfileStatus', 'GetProfile']}
      onClose={onClose}
      onDone={(answer) => setCode(answer.pairingCode)}
    >
      <TextField label={t('phone')} hint={t('phoneHint')} type="tel" dir="ltr" autoFocus {...bind('phoneNumber')} />
      {code !== undefined && (
        <div className="grid gap-2 rounded-lg bg-accent-soft p-4">
          <p
            role="status"
            aria-label={t('pairingCode')}
            dir="ltr"
            className="text-center font-mono text-3xl tracking-widest"
          >
            {code}
          </p>
          <p>{t('pairingText')}</p>
        </div>
      )}
    </WriteDialog>
  );
}
