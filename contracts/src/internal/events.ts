import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Id, Timestamp, closed, nullable } from '../shapes.ts';

export const DescribeEvent = internal({
  name: 'DescribeEvent',
  owner: 'webhooks',
  means: 'What an event of the organization is, by its id; null while the log does not have it, or has it no more.',
  body: closed({ organizationId: Id, eventId: Id }),
  answer: closed({ event: nullable(closed({ kind: Type.String(), occurredAt: Timestamp })) }),
  timeoutMs: 5_000,
});
