import type { Notification, Permission } from '@messaging-gateway/contracts';
import type { Static } from 'typebox';
import type { Preferences } from '../audience/member.ts';

export type NotificationTypeWord = Static<typeof Notification>['type'];

/** A notification before it is known who is told. JSON. */
export interface Draft {
  readonly type: NotificationTypeWord;
  readonly title: string;
  readonly body: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Permission of those who are told; absent: none. */
  readonly needs?: Permission;
  /** Preference of those who are told; absent: everybody. */
  readonly wish?: 'notifyOnMessage' | 'notifyOnConnect' | 'notifyOnDisconnect';
  /** The only user who is told. */
  readonly onlyUser?: string;
  readonly profileId?: string;
  /** As long as one is unread, the next one with the same is counted instead of told beside it. */
  readonly tally?: string;
  /** Of a message. */
  readonly conversationId?: string;
  readonly messageId?: string;
  /** JID of whoever wrote. */
  readonly person?: string;
}

/** Whether a member may see a notification, and wants to. */
export const concerns = (
  { onlyUser, needs, wish }: Pick<Draft, 'onlyUser' | 'needs' | 'wish'>,
  { userId, permissions, preferences }: { userId: string; permissions: readonly string[]; preferences: Preferences },
): boolean =>
  (onlyUser === undefined || onlyUser === userId) &&
  (needs === undefined || permissions.includes(needs)) &&
  (wish === undefined || preferences[wish]);
