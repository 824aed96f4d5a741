import type { AnswerOf, RequestOf } from '../api/operations.ts';
import { Button } from '../kit/button.tsx';
import { ConfirmDialog } from '../kit/confirm.tsx';
import { CopyButton } from '../kit/copy.tsx';
import { Checkbox, Checkboxes, TextArea, TextField, useFields } from '../kit/fields.tsx';
import { WriteDialog } from '../kit/write-dialog.tsx';
import { useTexts } from '../language/language.tsx';
import { profileLabel, useProfiles } from '../profiles/profile-select.tsx';
import { useMay } from '../session/me.tsx';
import { EventChoices } from './event-choices.tsx';
import { headersIn, headersText, newSecret } from './fields.ts';
import { texts } from './texts.ts';

type Webhook = AnswerOf<'GetWebhook'>;
type Patterns = RequestOf<'CreateWebhook'>['body']['events'];

const emptyFields = {
  url: '',
  secret: '',
  events: [] as readonly string[],
  profileIds: [] as readonly string[],
  headers: '',
  signedMediaUrls: false,
  enabled: true,
};
type Values = typeof emptyFields;
type Fields = ReturnType<typeof useFields<Values>>;

/** Where events go, which, and how they are signed. */
export function CreateWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const fields = useFields(emptyFields);
  const { secret, url, signedMediaUrls, profileIds } = fields.values;
  const headers = headersIn(fields.values.headers);
  const request = {
    body: {
      url,
      ...(secret !== '' && { secret }),
      events: [...fields.values.events] as Patterns,
      ...(profileIds.length > 0 && { profileIds: [...profileIds] }),
      ...(headers && { headers }),
      ...(signedMediaUrls && { signedMediaUrls }),
    },
  };
  return (
    <WriteDialog
      wide
      title={t('create')}
      submit={t('createSubmit')}
      operation="CreateWebhook"
      request={request}
      rereads={['ListWebhooks']}
      said={t('created')}
      onClose={onClose}
    >
      <WebhookFields fields={fields} secretHint={t('secretHint')} />
    </WriteDialog>
  );
}

interface Given {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** The same of one that is there. */
export function EditWebhookDialog({ webhook, onClose }: Given) {
  const t = useTexts(texts);
  const fields = useFields<Values>({
    url: webhook.url,
    secret: '',
    events: webhook.events,
    profileIds: webhook.profileIds ?? [],
    headers: headersText(webhook.headers),
    signedMediaUrls: webhook.signedMediaUrls,
    enabled: webhook.enabled,
  });
  const { secret, url, signedMediaUrls, profileIds, enabled } = fields.values;
  const request = {
    params: { id: webhook.id },
    body: {
      url,
      ...(secret !== '' && { secret }),
      events: [...fields.values.events] as Patterns,
      profileIds: profileIds.length > 0 ? [...profileIds] : null,
      headers: headersIn(fields.values.headers) ?? null,
      signedMediaUrls,
      enabled,
    },
  };
  return (
    <WriteDialog
      wide
      title={t('edit')}
      submit={t('save')}
      operation="UpdateWebhook"
      request={request}
      rereads={['ListWebhooks', 'GetWebhook', 'ListWebhookDeliveries']}
      said={t('saved')}
      onClose={onClose}
    >
      <WebhookFields fields={fields} secretHint={t('secretKept')} />
      <Checkbox label={t('enabled')} {...fields.bind('enabled')} />
    </WriteDialog>
  );
}

function WebhookFields({ fields, secretHint }: { readonly fields: Fields; readonly secretHint: string }) {
  const t = useTexts(texts);
  const profiles = useProfiles(useMay()('profile:read'));
  const { bind, set, values } = fields;
  return (
    <>
      <TextField
        label={t('url')}
        hint={t('urlHint')}
        type="url"
        dir="ltr"
        autoFocus
        maxLength={2048}
        {...bind('url')}
      />
      <div className="grid gap-2">
        <TextField label={t('secret')} hint={secretHint} dir="ltr" autoComplete="off" {...bind('secret')} />
        <div className="flex flex-wrap gap-2">
          <Button icon="refresh" onClick={() => set({ secret: newSecret() })}>
            {t('generate')}
          </Button>
          {values.secret !== '' && <CopyButton text={values.secret} />}
        </div>
      </div>
      <EventChoices {...bind('events')} />
      {profiles.length > 0 && (
        <Checkboxes
          label={t('profiles')}
          hint={t('profilesHint')}
          choices={profiles.map((profile) => ({ value: profile.id, label: profileLabel(profile) }))}
          {...bind('profileIds')}
        />
      )}
      <TextArea label={t('headers')} hint={t('headersHint')} rows={2} dir="ltr" {...bind('headers')} />
      <Checkbox label={t('signed')} hint={t('signedHint')} {...bind('signedMediaUrls')} />
    </>
  );
}

/** Asks before one is deleted. */
export function DeleteWebhookDialog({ webhook, onClose, onDone }: Given & { readonly onDone?: () => void }) {
  const t = useTexts(texts);
  return (
    <ConfirmDialog
      title={t('remove')}
      operation="DeleteWebhook"
      request={{ params: { id: webhook.id } }}
      rereads={['ListWebhooks']}
      onClose={onClose}
      said={t('removed')}
      onDone={() => {
        onClose();
        onDone?.();
      }}
    >
      {t('removeText', { url: webhook.url })}
    </ConfirmDialog>
  );
}
