import { Type } from 'typebox';
import { mentions, sendBody, words } from './send-fields.ts';
import { sendOperation, to } from './send-operation.ts';

export const SendText = sendOperation({
  name: 'SendText',
  path: '/messages/text',
  summary: 'Send a text message',
  means:
    'Passes the send gate of the profile: in order, `messageDelayMs` apart, within the daily limit. ' +
    'Synchronous mode answers once the network took the message; durable mode (DURABLE_SEND) answers 202 once it is stored.',
  body: sendBody({ text: words, mentions, linkPreview: Type.Optional(Type.Boolean()) }),
  example: { to, text: 'Hello' },
});
