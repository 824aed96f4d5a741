import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Count, Id, Timestamp, closed, nullable } from '../../shapes.ts';

export const TakeChatwootEvent = operation({
  name: 'TakeChatwootEvent',
  owner: 'webhooks',
  method: 'POST',
  path: '/integrations/chatwoot/:id',
  access: 'public',
  tokenIn: 'token',
  untouched: ['x-chatwoot-signature', 'x-chatwoot-timestamp'],
  audit: false,
  tag: 'Settings',
  summary: 'Take in what Chatwoot tells',
  means:
    'For Chatwoot: enter `webhookUrl` as the webhook URL of the API inbox. Answers of agents go out; all else that is understood (private notes, what the gateway ' +
    'itself has posted, repeats, other inboxes) is dropped. With a `webhookSecret`, `X-Chatwoot-Signature` is needed too, and not older than 5 minutes.',
  params: closed({ id: Id }),
  query: closed({ token: Type.Optional(Type.String({ maxLength: 128, description: 'From `webhookUrl`' })) }),
  body: closed({
    text: Type.String({ description: 'The body as it came' }),
    headers: Type.Record(Type.String(), Type.String()),
  }),
  answers: { 200: { body: closed({}), means: 'It was understood.', example: {} } },
  errors: ['UNAUTHORIZED'],
  example: { text: '{"event":"message_created"}', headers: {} },
});

export const GetIntegrationsStatus = operation({
  name: 'GetIntegrationsStatus',
  owner: 'webhooks',
  method: 'GET',
  path: '/integrations/status',
  access: 'settings:read',
  tag: 'Settings',
  summary: 'See how the bridge to Chatwoot goes',
  means: 'When it last went well, what went wrong last, and how many messages wait to be posted.',
  answers: {
    200: {
      body: closed(
        {
          chatwoot: closed({
            lastSuccessAt: nullable({ ...Timestamp, description: 'When something was posted last' }),
            lastErrorAt: nullable({ ...Timestamp, description: 'When something went wrong last' }),
            lastError: nullable(Type.String({ description: 'A word such as `HTTP_500` or `TIMEOUT`' })),
            backlog: { ...Count, description: 'What waits to be posted' },
          }),
        },
        { title: 'IntegrationsStatus' },
      ),
      means: 'As it is now.',
      example: {
        chatwoot: { lastSuccessAt: '2026-01-01T00:00:00.000Z', lastErrorAt: null, lastError: null, backlog: 0 },
      },
    },
  },
});
