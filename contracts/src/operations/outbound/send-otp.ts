import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, Recipient, closed, oneOf } from '../../shapes.ts';
import { sendErrors } from './send-result.ts';

export const SendOtp = operation({
  name: 'SendOtp',
  owner: 'outbound',
  method: 'POST',
  path: '/messages/otp',
  access: 'message:send',
  tag: 'Messages',
  audit: { action: 'message.send', awaited: false },
  summary: 'Send a one-time code',
  means:
    'Answers once the recipient has the message, in synchronous and in durable mode. When the delivery receipt has not come within ' +
    'OTP_ACK_TIMEOUT_MS of the hand-over, or the message cannot go out, the code takes the secondary channel: by mail when ' +
    '`email` is given and there is a mail server, else by OTP_FALLBACK_URL. That is open to profiles that have been linked, and ' +
    'within OTP_FALLBACK_DAILY_LIMIT and OTP_FALLBACK_RECIPIENT_DAILY_LIMIT. 502 when it reached the recipient on no channel; ' +
    '`details.secondary` says when none was open: `NEVER_LINKED` or `DAILY_LIMIT_REACHED`.',
  body: closed({
    profileId: Id,
    to: Recipient,
    code: Type.String({ maxLength: 16, format: 'code', description: 'Letters and digits, hyphens between them' }),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description: 'Must hold `{{code}}`, which is replaced; default: one sentence',
      }),
    ),
    email: Type.Optional(Type.String({ maxLength: 254, format: 'email' })),
  }),
  answers: {
    200: {
      body: closed({
        messageId: Id,
        channel: oneOf(['network', 'fallback']),
        status: oneOf(['delivered', 'sent'], { description: '`sent`: a mail server took it' }),
        reason: Type.Optional(
          Type.String({ description: 'Why the secondary channel was used: `NOT_DELIVERED` or an error code' }),
        ),
      }),
      envelope: 'data',
      means: 'The code reached the recipient.',
      example: {
        messageId: '0198c0de-0000-7000-8000-000000000002',
        channel: 'fallback',
        status: 'delivered',
        reason: 'NOT_DELIVERED',
      },
    },
  },
  errors: [...sendErrors, 'OTP_DELIVERY_FAILED'],
  timeoutMs: 90_000,
  example: { profileId: '0198c0de-0000-7000-8000-000000000001', to: '4915112345678', code: '493817' },
});
