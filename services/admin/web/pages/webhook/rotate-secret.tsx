import { useState } from 'react';
import { useWrite } from '../../api/asking.ts';
import { Button } from '../../kit/button.tsx';
import { CopyField } from '../../kit/copy.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { TextField, useFields } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form.tsx';
import { useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';

interface Given {
  readonly id: string;
  readonly onClose: () => void;
}

/** Makes a new secret and shows it this once. */
export function RotateSecretDialog({ id, onClose }: Given) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ secret: '' });
  const { write, problem, isBusy } = useWrite('RotateWebhookSecret', 'GetWebhook', 'ListWebhooks');
  const [secret, setSecret] = useState<string>();
  const request = { params: { id }, body: values.secret === '' ? {} : { secret: values.secret } };
  if (secret !== undefined)
    return (
      <Dialog title={t('rotate')} onClose={onClose}>
        <CopyField label={t('secret')} value={secret} hint={t('secretHint')} />
        <Button kind="primary" className="justify-self-end" onClick={onClose}>
          {t('done')}
        </Button>
      </Dialog>
    );
  return (
    <FormDialog
      title={t('rotate')}
      submit={t('rotate')}
      onClose={onClose}
      onSubmit={async () => setSecret((await write(request))?.answer.secret)}
      problem={problem}
      isBusy={isBusy}
      curl={{ name: 'RotateWebhookSecret', request }}
    >
      <p className="text-muted">{t('rotateText')}</p>
      <TextField label={t('secretOwn')} hint={t('secretOwnHint')} dir="ltr" autoComplete="off" {...bind('secret')} />
    </FormDialog>
  );
}
