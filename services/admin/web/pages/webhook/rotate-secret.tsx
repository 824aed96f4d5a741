import { useState } from 'react';
import { TextField, useFields } from '../../kit/fields.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { texts } from './texts.ts';
import { ShownOnce } from '../../kit/shown-once.tsx';

interface Given {
  readonly id: string;
  readonly onClose: () => void;
}

/** Makes a new secret and shows it this once. */
export function RotateSecretDialog({ id, onClose }: Given) {
  const t = useTexts(texts);
  const { values, bind } = useFields({ secret: '' });
  const [secret, setSecret] = useState<string>();
  const request = { params: { id }, body: values.secret === '' ? {} : { secret: values.secret } };
  if (secret !== undefined)
    return (
      <ShownOnce title={t('rotate')} label={t('secret')} value={secret} hint={t('secretHint')} onClose={onClose} />
    );
  return (
    <WriteDialog
      title={t('rotate')}
      submit={t('rotate')}
      operation="RotateWebhookSecret"
      request={request}
      rereads={['GetWebhook', 'ListWebhooks']}
      onClose={onClose}
      onDone={(answer) => setSecret(answer.secret)}
    >
      <p className="text-muted">{t('rotateText')}</p>
      <TextField label={t('secretOwn')} hint={t('secretOwnHint')} dir="ltr" autoComplete="off" {...bind('secret')} />
    </WriteDialog>
  );
}
