import { Type } from 'typebox';
import { Count, Id, Timestamp, closed, nullable, oneOf } from '../../shapes.ts';

/** The actor of an entry: a user, an API key, or the system. */
export const AuditActor = closed(
  {
    type: oneOf(['user', 'api_key', 'operator', 'service']),
    id: Type.String(),
    name: nullable(Type.String({ description: 'As it is called now; null once it was deleted' })),
  },
  { title: 'AuditActor' },
);

/** An entry of the audit: what somebody has done. */
export const AuditEntry = closed(
  {
    id: Id,
    action: Type.String({ description: 'A `key` of `GET /audit/actions`' }),
    actor: AuditActor,
    resourceType: nullable(Type.String()),
    resourceId: nullable(Type.String()),
    metadata: Type.Record(Type.String(), Type.Unknown(), {
      description: '`fields`: names of the fields that were given, of changes by PUT and PATCH',
    }),
    ip: nullable(Type.String({ description: 'Null once the data of the person were erased' })),
    userAgent: nullable(Type.String()),
    requestId: nullable(Type.String()),
    timestamp: Timestamp,
  },
  { title: 'AuditEntry' },
);

/** Moments that entries lie between. */
export const auditPeriod = {
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Not before' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Before' })),
};

export const AuditSummary = closed(
  {
    total: Count,
    byAction: Type.Array(closed({ action: Type.String(), count: Count })),
    byActor: Type.Array(closed({ actor: AuditActor, count: Count }), { description: 'The 100 who did most' }),
    daily: Type.Array(closed({ date: Type.String({ description: 'Day, UTC: `2026-01-31`' }), count: Count })),
  },
  { title: 'AuditSummary' },
);

export const auditEntryExample = {
  id: '0198c0de-0000-7000-8000-000000000001',
  action: 'profile.create',
  actor: { type: 'user', id: '0198c0de-0000-7000-8000-000000000002', name: 'Ada' },
  resourceType: 'profile',
  resourceId: '0198c0de-0000-7000-8000-000000000003',
  metadata: {},
  ip: '192.0.2.1',
  userAgent: 'curl/8.5.0',
  requestId: '0198c0de-0000-7000-8000-000000000004',
  timestamp: '2026-01-01T00:00:00.000Z',
};
