import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Id, closed } from '../shapes.ts';

export const SendTenantMail = internal({
  name: 'SendTenantMail',
  owner: 'identity',
  means:
    'Sends a mail by the mail server of an organization. `sent` is false when it has none. `SERVICE_UNAVAILABLE`: the server did not take it.',
  body: closed({
    organizationId: Id,
    to: Type.String({ maxLength: 254 }),
    subject: Type.String({ maxLength: 256 }),
    text: Type.String({ maxLength: 65_536 }),
  }),
  answer: closed({ sent: Type.Boolean() }),
  timeoutMs: 12_000,
});
