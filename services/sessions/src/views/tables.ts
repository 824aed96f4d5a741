import { defineEntity, p } from '@mikro-orm/core';

/** The accounts of all organizations. */
export const AccountRow = defineEntity({
  name: 'AccountRow',
  tableName: 'accounts',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    workspaceId: p.uuid(),
    name: p.text(),
    description: p.text().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** The profiles of all organizations, with where their connections stand. */
export const ProfileRow = defineEntity({
  name: 'ProfileRow',
  tableName: 'profiles',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    accountId: p.uuid(),
    workspaceId: p.uuid(),
    name: p.text(),
    engine: p.text().nullable(),
    status: p.text(),
    statusReason: p.text().nullable(),
    isWanted: p.boolean(),
    phoneNumber: p.text().nullable(),
    pushName: p.text().nullable(),
    since: p.datetime(3),
    lastConnectedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});
