import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { liveOnlyKinds } from '../live.ts';
import { Count, Id, Timestamp, closed, oneOf } from '../shapes.ts';

const LiveEventGiven = closed({
  id: { ...Id, description: 'The same id is told once' },
  organizationId: Id,
  kind: oneOf(liveOnlyKinds),
  at: Timestamp,
  profileId: Type.Optional(Id),
  data: Type.Record(Type.String(), Type.Unknown()),
});

export const TellLive = internal({
  name: 'TellLive',
  owner: 'webhooks',
  means:
    'Has those who read `GET /live` told what no journal holds: how far something has come, a notification. A notification names its reader in `data.userId`.',
  body: closed({ events: Type.Array(LiveEventGiven, { minItems: 1, maxItems: 500 }) }),
  answer: closed({ told: Count }),
  timeoutMs: 5_000,
});
