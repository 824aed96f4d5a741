import { operation } from '../../contract.ts';
import { closed } from '../../shapes.ts';
import { AuditSummary, auditEntryExample, auditPeriod } from './shapes.ts';

export const GetAuditSummary = operation({
  name: 'GetAuditSummary',
  owner: 'insights',
  method: 'GET',
  path: '/audit/summary',
  access: 'audit:read',
  tag: 'Audit',
  summary: 'Audit summary',
  means: 'How many entries there are by action, by actor and by day (UTC). Without `from` the 30 days before `to`.',
  query: closed(auditPeriod),
  answers: {
    200: {
      body: AuditSummary,
      means: 'The counts.',
      example: {
        total: 1,
        byAction: [{ action: 'profile.create', count: 1 }],
        byActor: [{ actor: auditEntryExample.actor, count: 1 }],
        daily: [{ date: '2026-01-01', count: 1 }],
      },
    },
  },
});
