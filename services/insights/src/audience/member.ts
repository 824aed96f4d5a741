import type { AnswerOf, DescribeMembers } from '@messaging-gateway/contracts';

export type DescribedMember = AnswerOf<typeof DescribeMembers>['members'][number];
export type Preferences = DescribedMember['preferences'];

/** A member who may be told things. */
export interface Member {
  readonly userId: string;
  readonly permissions: readonly string[];
  readonly preferences: Preferences;
}

export interface MemberRow {
  readonly user_id: string;
  readonly permissions: string[];
  readonly preferences: Preferences;
}

export const memberColumns = 'user_id, permissions, preferences';

export const memberOf = ({ user_id: userId, permissions, preferences }: MemberRow): Member => ({
  userId,
  permissions,
  preferences,
});
