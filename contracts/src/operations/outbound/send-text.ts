import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, Recipient, closed } from '../../shapes.ts';
import { sendAnswers, sendErrors } from './send-result.ts';

export const SendText = operation({
  name: 'SendText',
  owner: 'outbound',
  method: 'POST',
  path: '/messages/text',
  access: 'message:send',
  tag: 'Messages',
  summary: 'Send a text message',
  means:
    'Passes the send gate of the profile: in order, `messageDelayMs` apart, within the daily limit. ' +
    'Synchronous mode answers once the network took the message; durable mode (DURABLE_SEND) answers 202 once it is stored.',
  body: closed({
    profileId: Id,
    to: Recipient,
    text: Type.String({ minLength: 1, maxLength: 65_536, description: 'Length in UTF-16 units' }),
    quotedMessageId: Type.Optional(Id),
    mentions: Type.Optional(Type.Array(Recipient, { maxItems: 1024 })),
    linkPreview: Type.Optional(Type.Boolean()),
  }),
  bodyLimit: 'media',
  answers: sendAnswers,
  errors: sendErrors,
  timeoutMs: 90_000,
  example: { profileId: '0198c0de-0000-7000-8000-000000000001', to: '4915112345678', text: 'Hello' },
});
