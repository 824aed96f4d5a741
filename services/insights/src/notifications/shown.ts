import type { Caller, Notification } from '@messaging-gateway/contracts';
import { whereGiven, type Condition } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { NotificationTypeWord } from './draft.ts';

export type ShownNotification = Static<typeof Notification>;

export interface NotificationRow {
  readonly id: string;
  readonly place: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly metadata: Record<string, unknown>;
  readonly count: number;
  readonly is_read: boolean;
  readonly at: Date;
}

export const notificationColumns = 'id, place, type, title, body, metadata, count, is_read, at';

export const shownNotification = ({
  id,
  type,
  title,
  body,
  metadata,
  count,
  is_read: read,
  at,
}: NotificationRow): ShownNotification => ({
  id,
  type: type as NotificationTypeWord,
  title,
  body,
  metadata: type === 'message' ? { ...metadata, count } : metadata,
  read,
  createdAt: at.toISOString(),
});

/** Those of a user that the caller may see: whose role or key allows no more what they are about sees them no more. */
export const ownOf = ({ organizationId, userId, permissions, profileIds }: Caller): readonly Condition[] => [
  ['organization_id = $1', organizationId],
  ['user_id = $1', userId],
  ['(needs IS NULL OR needs = ANY ($1::text[]))', permissions],
  whereGiven('profile_id = ANY ($1::uuid[])', profileIds),
];
