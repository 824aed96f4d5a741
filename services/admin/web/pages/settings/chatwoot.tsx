import { useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Card } from '../../kit/card.tsx';
import { CopyField } from '../../kit/copy.tsx';
import { Checkbox, TextField, useFields } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { SecretField, secretIn, type TypedSecret } from '../../kit/secret-field.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { ProfileChoices, profilesOr } from './profile-choices.tsx';
import { SettingsForm } from './settings-form.tsx';
import { texts } from './texts.ts';
import { textOr } from '../../kit/typed.ts';

type Settings = AnswerOf<'GetIntegrations'>['chatwoot'];

/** The bridge to a shared inbox, and how it goes. */
export function ChatwootCard() {
  const t = useTexts(texts);
  const integrations = useAsk('GetIntegrations', {});
  return (
    <Card title={t('chatwoot')}>
      <p className="text-muted">{t('chatwootText')}</p>
      <Loaded of={integrations}>
        {({ chatwoot }) => (
          <>
            {chatwoot.enabled && <Progress />}
            <ChatwootForm settings={chatwoot} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Progress() {
  const t = useTexts(texts);
  const { dateTime } = useFormats();
  const status = useAsk('GetIntegrationsStatus', {}, { staleTime: 10_000 });
  return (
    <Loaded of={status}>
      {({ chatwoot: { backlog, lastError, lastErrorAt } }) => (
        <div>
          <p>{t('backlog', { count: backlog })}</p>
          {lastError !== null && lastErrorAt !== null && (
            <p className="text-danger">{t('lastError', { what: lastError, when: dateTime(lastErrorAt) })}</p>
          )}
        </div>
      )}
    </Loaded>
  );
}

function ChatwootForm({ settings }: { readonly settings: Settings }) {
  const t = useTexts(texts);
  const may = useMay();
  const [webhookUrl, setWebhookUrl] = useState<string>();
  const profileIds: readonly string[] = settings.profileIds ?? [];
  const { values, bind, set } = useFields({
    url: settings.url ?? '',
    apiToken: undefined as TypedSecret,
    accountId: settings.accountId ?? '',
    inboxId: settings.inboxId ?? '',
    webhookSecret: undefined as TypedSecret,
    profileIds,
    enabled: settings.enabled,
    rotateToken: false,
  });
  const request = {
    body: {
      chatwoot: {
        url: textOr(values.url),
        ...secretIn('apiToken', values.apiToken),
        accountId: textOr(values.accountId),
        inboxId: textOr(values.inboxId),
        ...secretIn('webhookSecret', values.webhookSecret),
        profileIds: profilesOr(values.profileIds),
        enabled: values.enabled,
        ...(values.rotateToken && { rotateToken: true as const }),
      },
    },
  };
  return (
    <SettingsForm
      name="UpdateIntegrations"
      request={request}
      rereads={['GetIntegrations', 'GetIntegrationsStatus']}
      onSaved={({ chatwoot }) => {
        set({ apiToken: undefined, webhookSecret: undefined, rotateToken: false });
        if (chatwoot.webhookUrl !== undefined) setWebhookUrl(chatwoot.webhookUrl);
      }}
      mayChange={may('settings:update')}
      test={{ name: 'TestIntegration', request: { body: { type: 'chatwoot' } }, hint: t('testSaved') }}
    >
      {webhookUrl !== undefined && <CopyField label={t('webhookUrl')} value={webhookUrl} hint={t('webhookUrlHint')} />}
      <TextField label={t('url')} type="url" dir="ltr" {...bind('url')} name="chatwoot.url" />
      <SecretField label={t('apiToken')} isKept={settings.hasApiToken} {...bind('apiToken')} name="chatwoot.apiToken" />
      <TextField label={t('accountId')} inputMode="numeric" {...bind('accountId')} name="chatwoot.accountId" />
      <TextField label={t('inboxId')} inputMode="numeric" {...bind('inboxId')} name="chatwoot.inboxId" />
      <SecretField
        label={t('webhookSecret')}
        isKept={settings.hasWebhookSecret}
        {...bind('webhookSecret')}
        name="chatwoot.webhookSecret"
      />
      <ProfileChoices {...bind('profileIds')} name="chatwoot.profileIds" />
      <Checkbox label={t('enabled')} {...bind('enabled')} name="chatwoot.enabled" />
      <Checkbox label={t('rotateToken')} hint={t('rotateHint')} {...bind('rotateToken')} />
    </SettingsForm>
  );
}
