import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Id, closed, oneOf } from '../../shapes.ts';

export const WebhookDisabled = event({
  type: 'webhook.disabled',
  version: 1,
  owner: 'webhooks',
  visibility: 'public',
  means:
    'The gateway stopped delivering to a webhook: the receiver answered 410 (GONE), or nothing but failures came back ' +
    'for WEBHOOK_DISABLE_AFTER_HOURS (FAILING).',
  data: closed({ id: Id, url: Type.String(), reason: oneOf(['GONE', 'FAILING']) }),
  example: { id: '0198c0de-0000-7000-8000-000000000001', url: 'https://example.com/hook', reason: 'GONE' },
});
