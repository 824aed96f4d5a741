import { useState } from 'react';
import { useList } from '../../api/asking.ts';
import type { AnswerOf } from '../../api/operations.ts';
import { AddButton } from '../../kit/button.tsx';
import { PageLink } from '../../kit/link.tsx';
import { useActions } from '../../kit/actions.tsx';
import { Empty, Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { useTexts } from '../../language/language.tsx';
import { useRereadOn } from '../../live/live.tsx';
import { WebhookState } from '../../webhooks/state.tsx';
import { texts as webhookTexts } from '../../webhooks/texts.ts';
import { CreateWebhookDialog, DeleteWebhookDialog, EditWebhookDialog } from '../../webhooks/webhook-dialogs.tsx';
import { texts } from './texts.ts';

type Webhook = AnswerOf<'ListWebhooks'>['items'][number];
type Open = { readonly what: 'edit' | 'delete'; readonly webhook: Webhook } | { readonly what: 'create' };

export function PageContent() {
  const t = useTexts(texts);
  const w = useTexts(webhookTexts);
  const [open, setOpen] = useState<Open>();
  const webhooks = useList('ListWebhooks', { query: {} });
  useRereadOn({ 'webhook.disabled': ['ListWebhooks'] });
  const columns = useColumns(setOpen);
  const close = () => setOpen(undefined);
  const create = <AddButton label={w('create')} onAdd={() => setOpen({ what: 'create' })} />;
  return (
    <Page title={t('title')} actions={create}>
      <Table
        label={t('title')}
        columns={columns}
        pages={webhooks}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="webhooks" title={t('empty')} action={create}>
            {t('emptyText')}
          </Empty>
        }
      />
      {open?.what === 'create' && <CreateWebhookDialog onClose={close} />}
      {open?.what === 'edit' && <EditWebhookDialog webhook={open.webhook} onClose={close} />}
      {open?.what === 'delete' && <DeleteWebhookDialog webhook={open.webhook} onClose={close} />}
    </Page>
  );
}

function useColumns(onOpen: (open: Open) => void): readonly Column<Webhook>[] {
  const t = useTexts(texts);
  const w = useTexts(webhookTexts);
  const actions = useActions((webhook: Webhook) => [
    { label: w('edit'), icon: 'edit', onSelect: () => onOpen({ what: 'edit', webhook }) },
    { label: t('delete'), icon: 'trash', danger: true, onSelect: () => onOpen({ what: 'delete', webhook }) },
  ]);
  return [
    {
      heading: w('url'),
      cell: ({ id, url }) => (
        <PageLink to={`/webhooks/${id}`}>
          <bdi className="wrap-anywhere">{url}</bdi>
        </PageLink>
      ),
    },
    { heading: t('state'), cell: (webhook) => <WebhookState webhook={webhook} /> },
    {
      heading: w('events'),
      isWide: true,
      cell: ({ events }) => (events.includes('*') ? w('everything') : events.join(', ')),
    },
    actions,
  ];
}
