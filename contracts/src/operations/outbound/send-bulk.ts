import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Count, Id, Recipient, Timestamp, closed } from '../../shapes.ts';
import { BatchStatus, batchExample } from './bulk-batch.ts';
import { typedMessage } from './typed-message.ts';

const BulkMessage = typedMessage<{ chatId: string; variables?: Record<string, string> }>('BulkMessage', {
  chatId: Recipient,
  variables: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 65_536 }), {
      description:
        'Fill the placeholders `{name}` of the texts. One that none of them fills is refused; for braces in a text write a ' +
        'variable that holds them. What is no name (a letter or `_`, then letters, digits, `_`, `.`, `-`) is left alone.',
    }),
  ),
});

export const SendBulk = operation({
  name: 'SendBulk',
  owner: 'outbound',
  method: 'POST',
  path: '/bulk/send',
  access: 'message:send',
  tag: 'Bulk',
  audit: 'batch.create',
  summary: 'Send many messages',
  means:
    'Sends one message after the other through the send gate of the profile, `delayBetweenMessages` apart on top of it; direct ' +
    'sends go in between. Reaching the daily limit ends the batch: what is left is cancelled.',
  body: closed({
    profileId: Id,
    messages: Type.Array(BulkMessage, { minItems: 1, maxItems: 1000 }),
    options: Type.Optional(
      closed({
        delayBetweenMessages: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 60_000, default: 3000, description: 'Milliseconds' }),
        ),
        randomizeDelay: Type.Optional(Type.Boolean({ description: 'Adds 0–2000 ms to each delay' })),
        stopOnError: Type.Optional(Type.Boolean({ description: 'A message that fails ends the batch' })),
      }),
    ),
  }),
  bodyLimit: 'media',
  answers: {
    202: {
      body: closed({ batchId: Id, status: BatchStatus, totalMessages: Count, estimatedCompletionTime: Timestamp }),
      means: 'The batch is stored and will be sent.',
      example: {
        batchId: batchExample.batchId,
        status: 'queued',
        totalMessages: 2,
        estimatedCompletionTime: '2026-01-01T10:00:10.000Z',
      },
    },
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'QUOTA_REACHED'],
  timeoutMs: 90_000,
  example: {
    profileId: batchExample.profileId,
    messages: [
      { chatId: '4915112345678@c.us', type: 'text', content: { text: 'Hello {name}' }, variables: { name: 'Ada' } },
      { chatId: '4915112345679@c.us', type: 'text', content: { text: 'Hello {name}' }, variables: { name: 'Bob' } },
    ],
    options: { delayBetweenMessages: 3000, randomizeDelay: true },
  },
});
