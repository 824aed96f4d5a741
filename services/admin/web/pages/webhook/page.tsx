import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAsk } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { PageLink } from '../../kit/link.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { useFormats, useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { useProfiles } from '../../profiles/profile-select.tsx';
import { useMay } from '../../session/me.tsx';
import { WebhookState } from '../../webhooks/state.tsx';
import { texts as webhookTexts } from '../../webhooks/texts.ts';
import { DeleteWebhookDialog, EditWebhookDialog } from '../../webhooks/webhook-dialogs.tsx';
import { Deliveries } from './deliveries.tsx';
import { ReplayDialog } from './replay.tsx';
import { RotateSecretDialog } from './rotate-secret.tsx';
import { TestEvent } from './test-event.tsx';
import { texts } from './texts.ts';

type Webhook = AnswerOf<'GetWebhook'>;

export function PageContent() {
  const { webhookId: id = '' }: { readonly webhookId?: string } = useParams({ strict: false });
  const webhook = useAsk('GetWebhook', { params: { id } });
  useRereadOn({ 'webhook.disabled': ['GetWebhook', 'ListWebhookDeliveries'] });
  return <Loaded of={webhook}>{(found) => <WebhookPage key={found.id} webhook={found} />}</Loaded>;
}

function WebhookPage({ webhook }: { readonly webhook: Webhook }) {
  const t = useTexts(texts);
  const w = useTexts(webhookTexts);
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'rotate' | 'replay' | 'delete'>();
  const close = () => setOpen(undefined);
  return (
    <Page
      title={webhook.url}
      above={<PageLink to="/webhooks">{t('above')}</PageLink>}
      actions={
        <>
          <Button icon="edit" onClick={() => setOpen('edit')}>
            {w('edit')}
          </Button>
          <Button icon="keys" onClick={() => setOpen('rotate')}>
            {t('rotate')}
          </Button>
          <Button icon="refresh" onClick={() => setOpen('replay')}>
            {t('replay')}
          </Button>
          <Button icon="trash" onClick={() => setOpen('delete')}>
            {t('delete')}
          </Button>
        </>
      }
    >
      <About webhook={webhook} />
      <Deliveries id={webhook.id} />
      {open === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {open === 'rotate' && <RotateSecretDialog id={webhook.id} onClose={close} />}
      {open === 'replay' && <ReplayDialog id={webhook.id} onClose={close} />}
      {open === 'delete' && (
        <DeleteWebhookDialog webhook={webhook} onClose={close} onDone={() => void navigate({ to: '/webhooks' })} />
      )}
    </Page>
  );
}

function About({ webhook }: { readonly webhook: Webhook }) {
  const t = useTexts(texts);
  const w = useTexts(webhookTexts);
  const { dateTime } = useFormats();
  const may = useMay();
  const profiles = useProfiles(webhook.profileIds !== undefined && may('profile:read'));
  const nameOf = (id: string) => profiles.find((profile) => profile.id === id)?.name ?? id;
  const rows: readonly (readonly [string, string])[] = [
    [w('events'), webhook.events.includes('*') ? w('everything') : webhook.events.join(', ')],
    [w('profiles'), webhook.profileIds?.map(nameOf).join(', ') ?? t('allProfiles')],
    [t('signature'), t(webhook.hasSecret ? 'hasSecret' : 'noSecret')],
    [w('headers'), Object.keys(webhook.headers ?? {}).join(', ') || t('none')],
    [t('created'), dateTime(webhook.createdAt)],
    [t('id'), webhook.id],
  ];
  return (
    <Card title={t('about')} actions={<TestEvent id={webhook.id} />}>
      <div role="status" aria-label={t('state')}>
        <WebhookState webhook={webhook} />
      </div>
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {rows.map(([what, value]) => (
          <div key={what}>
            <dt className="text-muted">{what}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
