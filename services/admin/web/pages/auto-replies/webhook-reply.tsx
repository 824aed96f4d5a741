import { useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Checkbox, TextField, useFields } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { SecretField, secretIn, type TypedSecret } from '../../kit/secret-field.tsx';
import { WriteDialog } from '../../kit/write-dialog.tsx';
import { useTexts } from '../../language/language.tsx';
import { useMay } from '../../session/me.tsx';
import { commonWords } from '../../words/common.ts';
import { texts } from './texts.ts';

type WebhookReply = AnswerOf<'GetWebhookReply'>;

/** The URL that answers for a profile what nothing before it has answered. */
export function WebhookReplyCard({ profileId }: { readonly profileId: string }) {
  const t = useTexts(texts);
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const asked = useAsk('GetWebhookReply', { params: { profileId } });
  const isNone = asked.problem?.status === 404;
  return (
    <Card
      title={t('url')}
      actions={
        may('automation:update') &&
        (isNone || asked.data) && (
          <Button icon="edit" onClick={() => setOpen(true)}>
            {t('configureUrl')}
          </Button>
        )
      }
    >
      <p className="text-muted">{t('urlText')}</p>
      {isNone ? <p>{t('urlNone')}</p> : <Loaded of={asked}>{(found) => <Shown {...found} />}</Loaded>}
      {isOpen && (
        <WebhookReplyDialog
          profileId={profileId}
          before={isNone ? undefined : asked.data}
          onClose={() => setOpen(false)}
        />
      )}
    </Card>
  );
}

function Shown({ url, enabled, hasSecret }: WebhookReply) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  return (
    <p className="flex flex-wrap items-center gap-2">
      <bdi dir="ltr" className="[overflow-wrap:anywhere]">
        {url}
      </bdi>
      <span className={`badge ${enabled ? 'badge-ok' : ''}`}>{common(enabled ? 'enabled' : 'disabled')}</span>
      {hasSecret && <span className="badge">{t('signed')}</span>}
    </p>
  );
}

interface Given {
  readonly profileId: string;
  readonly before: WebhookReply | undefined;
  readonly onClose: () => void;
}

function WebhookReplyDialog({ profileId, before, onClose }: Given) {
  const t = useTexts(texts);
  const common = useTexts(commonWords);
  const { values, bind } = useFields({
    url: before?.url ?? '',
    enabled: before?.enabled ?? true,
    secret: undefined as TypedSecret,
  });
  const { url, enabled, secret } = values;
  const request = { body: { profileId, url, enabled, ...secretIn('secret', secret) } };
  return (
    <WriteDialog
      title={t('configureUrl')}
      submit={common('save')}
      operation="ConfigureWebhookReply"
      request={request}
      rereads={['GetWebhookReply']}
      said={common('saved')}
      onClose={onClose}
    >
      <TextField label={t('address')} type="url" dir="ltr" {...bind('url')} />
      <SecretField label={t('secret')} hint={t('secretHint')} isKept={before?.hasSecret ?? false} {...bind('secret')} />
      <Checkbox label={t('enabled')} {...bind('enabled')} />
    </WriteDialog>
  );
}
