import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { serviceNames } from '../../services.ts';
import { Id, closed, oneOf } from '../../shapes.ts';

export const AuditRecorded = event({
  type: 'audit.recorded',
  version: 1,
  owner: 'insights',
  alsoToldBy: serviceNames.filter((name) => name !== 'insights'),
  visibility: 'internal',
  means:
    'Somebody has asked for a change, and it was written: told with each event of the request by whoever wrote it, always with the same `id`.',
  data: closed({
    id: Id,
    action: Type.String(),
    actor: closed({ type: oneOf(['user', 'api_key', 'operator', 'service']), id: Type.String() }),
    userId: Type.Optional(Type.String({ description: 'The person, or the maker of the key' })),
    resource: Type.Optional(closed({ type: Type.String(), id: Type.Optional(Type.String()) })),
    more: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    ip: Type.Optional(Type.String()),
    userAgent: Type.Optional(Type.String()),
  }),
  example: {
    id: '0198c0de-0000-7000-8000-000000000001',
    action: 'profile.create',
    actor: { type: 'user', id: '0198c0de-0000-7000-8000-000000000002' },
    userId: '0198c0de-0000-7000-8000-000000000002',
    resource: { type: 'profile', id: '0198c0de-0000-7000-8000-000000000003' },
    ip: '192.0.2.1',
    userAgent: 'curl/8.5.0',
  },
});
