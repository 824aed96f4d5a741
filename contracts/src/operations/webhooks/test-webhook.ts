import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Count, closed, nullable } from '../../shapes.ts';
import { webhookParams } from './shapes.ts';

export const TestWebhook = operation({
  name: 'TestWebhook',
  owner: 'webhooks',
  method: 'POST',
  path: '/webhooks/:id/test',
  access: 'webhook:manage',
  tag: 'Webhooks',
  audit: { action: 'webhook.test', carriedOut: true },
  summary: 'Send a test event',
  means:
    'Sends one event of the kind `test` with `data.message`, signed as all deliveries, once, and tells what came back. ' +
    'Works on a disabled webhook too, and is not among its deliveries.',
  params: webhookParams,
  answers: {
    200: {
      body: closed({
        delivered: Type.Boolean({ description: 'The receiver answered 2xx' }),
        statusCode: nullable(Type.Integer()),
        durationMs: Count,
        error: Type.Optional(Type.String()),
      }),
      means: 'What came of it.',
    },
  },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  timeoutMs: 60_000,
});
