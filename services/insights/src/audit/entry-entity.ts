import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** An entry of the audit as it is read. Its id is that of its request, a UUIDv7: entries lie in the order of time. */
export const AuditEntryEntity = defineEntity({
  name: 'AuditEntryEntity',
  tableName: 'audit_entries',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    at: p.datetime(3),
    action: p.text(),
    actorType: p.text(),
    actorId: p.text(),
    userId: p.uuid().nullable(),
    resourceType: p.text().nullable(),
    resourceId: p.text().nullable(),
    profileId: p.uuid().nullable(),
    more: p.json<Record<string, unknown>>(),
    ip: p.text().nullable(),
    userAgent: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});
export type AuditEntryRecord = InferEntity<typeof AuditEntryEntity>;
