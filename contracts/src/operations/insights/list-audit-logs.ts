import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed, page, pageQuery } from '../../shapes.ts';
import { AuditEntry, auditEntryExample, auditPeriod } from './shapes.ts';

export const ListAuditLogs = operation({
  name: 'ListAuditLogs',
  owner: 'insights',
  method: 'GET',
  path: '/audit/logs',
  access: 'audit:read',
  tag: 'Audit',
  summary: 'Audit entries',
  means:
    'What people and API keys have changed, logins and failed logins, the newest first: one entry for each request that changed ' +
    'something, kept for AUDIT_RETENTION_DAYS. An API key that is limited to some profiles sees the entries of these.',
  query: closed({
    ...pageQuery,
    ...auditPeriod,
    actor: Type.Optional(Type.String({ maxLength: 128, description: 'Id of a user or an API key' })),
    action: Type.Optional(Type.String({ maxLength: 64 })),
    resourceType: Type.Optional(Type.String({ maxLength: 64 })),
    resourceId: Type.Optional(Type.String({ maxLength: 128 })),
  }),
  answers: {
    200: {
      body: page(AuditEntry),
      means: 'A page of entries.',
      example: { items: [auditEntryExample], nextCursor: null },
    },
  },
});
