import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Card } from '../../kit/card.tsx';
import { Checkbox, Select, TextField, useFields } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { SecretField, secretIn, type TypedSecret } from '../../kit/secret-field.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { SettingsForm } from './settings-form.tsx';
import { texts } from './texts.ts';
import { textOr } from '../../kit/typed.ts';

/** Where media of the organization are to be kept. */
export function StorageCard() {
  const t = useTexts(texts);
  const settings = useAsk('GetStorageSettings', {});
  return (
    <Card title={t('storage')}>
      <p className="text-muted">{t('storageText')}</p>
      <Loaded of={settings}>{(found) => <StorageForm settings={found} />}</Loaded>
    </Card>
  );
}

function StorageForm({ settings }: { readonly settings: AnswerOf<'GetStorageSettings'> }) {
  const t = useTexts(texts);
  const may = useMay();
  const { values, bind, set } = useFields({
    type: settings.type,
    endpoint: settings.endpoint ?? '',
    bucket: settings.bucket ?? '',
    region: settings.region ?? '',
    accessKey: settings.accessKey ?? '',
    secretKey: undefined as TypedSecret,
    forcePathStyle: settings.forcePathStyle,
  });
  const request = {
    body: {
      type: values.type,
      endpoint: textOr(values.endpoint),
      bucket: textOr(values.bucket),
      region: textOr(values.region),
      accessKey: textOr(values.accessKey),
      ...secretIn('secretKey', values.secretKey),
      forcePathStyle: values.forcePathStyle,
    },
  };
  return (
    <SettingsForm
      name="UpdateStorageSettings"
      request={request}
      rereads={['GetStorageSettings']}
      onSaved={() => set({ secretKey: undefined })}
      mayChange={may('settings:update')}
      test={{ name: 'TestStorageSettings', request, hint: t('testText') }}
    >
      <Select
        label={t('kind')}
        choices={(['local', 's3'] as const).map((value) => ({ value, label: t(value) }))}
        {...bind('type')}
      />
      {values.type === 's3' && (
        <>
          <TextField label={t('endpoint')} type="url" dir="ltr" {...bind('endpoint')} />
          <TextField label={t('bucket')} dir="ltr" {...bind('bucket')} />
          <TextField label={t('region')} dir="ltr" {...bind('region')} />
          <TextField label={t('accessKey')} dir="ltr" autoComplete="off" {...bind('accessKey')} />
          <SecretField label={t('secretKey')} isKept={settings.hasSecretKey} {...bind('secretKey')} />
          <Checkbox label={t('pathStyle')} {...bind('forcePathStyle')} />
        </>
      )}
    </SettingsForm>
  );
}
