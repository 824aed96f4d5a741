import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Card } from '../../kit/card.tsx';
import { Checkbox, TextField, useFields } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { SecretField, secretIn, type TypedSecret } from '../../kit/secret-field.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { SettingsForm } from './settings-form.tsx';
import { texts } from './texts.ts';
import { limitIn, textOr } from '../../kit/typed.ts';

/** The mail server of the organization. */
export function MailCard() {
  const t = useTexts(texts);
  const settings = useAsk('GetSmtpSettings', {});
  return (
    <Card title={t('mail')}>
      <p className="text-muted">{t('mailText')}</p>
      <Loaded of={settings}>{(found) => <MailForm settings={found} />}</Loaded>
    </Card>
  );
}

function MailForm({ settings }: { readonly settings: AnswerOf<'GetSmtpSettings'> }) {
  const t = useTexts(texts);
  const may = useMay();
  const { values, bind, set } = useFields({
    host: settings.host ?? '',
    port: settings.port === null ? '' : String(settings.port),
    user: settings.user ?? '',
    password: undefined as TypedSecret,
    from: settings.from ?? '',
    secure: settings.secure,
  });
  const request = {
    body: {
      host: textOr(values.host),
      port: limitIn(values.port),
      user: textOr(values.user),
      ...secretIn('password', values.password),
      from: textOr(values.from),
      secure: values.secure,
    },
  };
  return (
    <SettingsForm
      name="UpdateSmtpSettings"
      request={request}
      rereads={['GetSmtpSettings']}
      onSaved={() => set({ password: undefined })}
      mayChange={may('settings:update')}
      test={{ name: 'TestSmtpSettings', request, hint: t('testText') }}
    >
      <TextField label={t('host')} dir="ltr" {...bind('host')} />
      <TextField label={t('port')} inputMode="numeric" dir="ltr" {...bind('port')} />
      <TextField label={t('user')} dir="ltr" autoComplete="off" {...bind('user')} />
      <SecretField label={t('password')} isKept={settings.hasPassword} {...bind('password')} />
      <TextField label={t('sender')} type="email" dir="ltr" autoComplete="off" {...bind('from')} />
      <Checkbox label={t('secure')} hint={t('secureHint')} {...bind('secure')} />
    </SettingsForm>
  );
}
