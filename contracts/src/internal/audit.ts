import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { AuditRecorded } from '../events/insights/audit-recorded.ts';
import { Id, closed, oneOf } from '../shapes.ts';

export const DescribeActors = internal({
  name: 'DescribeActors',
  owner: 'identity',
  means: 'What users and API keys of an organization are called now. Those that are not there are left out.',
  body: closed({
    organizationId: Id,
    userIds: Type.Array(Id, { maxItems: 1000 }),
    apiKeyIds: Type.Array(Id, { maxItems: 1000 }),
  }),
  answer: closed({
    items: Type.Array(closed({ type: oneOf(['user', 'api_key']), id: Id, name: Type.String() })),
  }),
});

export const RecordAction = internal({
  name: 'RecordAction',
  owner: 'insights',
  means:
    'What was carried out outside of all journals becomes an entry of the audit: one, however often it is asked with the same `id`.',
  body: closed({ organizationId: Id, requestId: Type.String(), entry: AuditRecorded.data }),
  answer: closed({}),
});
