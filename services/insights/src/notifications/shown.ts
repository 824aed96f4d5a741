import type { Caller, Notification } from '@messaging-gateway/contracts';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Static } from 'typebox';
import type { NotificationTypeWord } from './draft.ts';

export type ShownNotification = Static<typeof Notification>;

/** A notification as its user reads it. What tells it, and forgets it, does so by SQL. */
export const NotificationEntity = defineEntity({
  name: 'NotificationEntity',
  tableName: 'notifications',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    userId: p.uuid(),
    /** Grows with each that is told or counted up. */
    place: p.bigint('number'),
    type: p.text().$type<NotificationTypeWord>(),
    title: p.text(),
    body: p.text(),
    metadata: p.json<Record<string, unknown>>(),
    count: p.integer(),
    /** Permission that its reader needs. */
    needs: p.text().nullable(),
    profileId: p.uuid().nullable(),
    isRead: p.boolean(),
    at: p.datetime(3),
  },
});
type NotificationRecord = InferEntity<typeof NotificationEntity>;

export const shownNotification = (told: NotificationRecord): ShownNotification => ({
  id: told.id,
  type: told.type,
  title: told.title,
  body: told.body,
  metadata: told.type === 'message' ? { ...told.metadata, count: told.count } : told.metadata,
  read: told.isRead,
  createdAt: told.at.toISOString(),
});

/** Those of a user that the caller may see: whose role or key allows no more what they are about sees them no more. */
export const ownOf = ({ userId, permissions, profileIds }: Caller) => ({
  userId,
  $or: [{ needs: null }, { needs: { $in: [...permissions] } }],
  ...(profileIds !== undefined && { profileId: { $in: [...profileIds] } }),
});
