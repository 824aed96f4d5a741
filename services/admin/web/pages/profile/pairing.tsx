import { useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import { TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
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
  const { write, problem, isBusy } = useWrite('ConnectProfile', 'GetProfileStatus', 'GetProfile');
  const [code, setCode] = useState<string>();
  const request = { params: { id: profileId }, body: { phoneNumber: values.phoneNumber } };
  const submit = async () => {
    const done = await write(request);
    if (done) setCode(done.answer.pairingCode);
  };
  return (
    <FormDialog
      title={t('pair')}
      submit={t('getCode')}
      onClose={onClose}
      onSubmit={submit}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'ConnectProfile', request }}
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
    </FormDialog>
  );
}
