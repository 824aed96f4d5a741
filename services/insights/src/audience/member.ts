import type { AnswerOf, DescribeMembers } from '@messaging-gateway/contracts';

export type DescribedMember = AnswerOf<typeof DescribeMembers>['members'][number];
export type Preferences = DescribedMember['preferences'];

/** A member who may be told things. */
export interface Member {
  readonly userId: string;
  readonly permissions: readonly string[];
  readonly preferences: Preferences;
  /** Absent: not known. */
  readonly joinedAt?: Date;
}

export interface MemberRow {
  readonly user_id: string;
  readonly permissions: string[];
  readonly preferences: Preferences;
  readonly joined_at: Date | null;
}

export const memberColumns = 'user_id, permissions, preferences, joined_at';

export const memberOf = ({ user_id: userId, permissions, preferences, joined_at: joinedAt }: MemberRow): Member => ({
  userId,
  permissions,
  preferences,
  ...(joinedAt !== null && { joinedAt }),
});
