import type { participantActions } from '@messaging-gateway/contracts';

export interface GroupMember {
  /** `<digits>@c.us`, or `<id>@lid` of somebody whose phone the network does not tell. */
  readonly jid: string;
  /** Digits. */
  readonly phone: string | undefined;
  /** `<id>@lid`, where the network tells it. */
  readonly lid: string | undefined;
  readonly isAdmin: boolean;
  /** Made the group. */
  readonly isSuperAdmin: boolean;
}

export interface EngineGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /** JID of whoever made it. */
  readonly owner: string | undefined;
  /** The profile itself made it. */
  readonly isOwn: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly members: readonly GroupMember[];
}

export type ParticipantAction = (typeof participantActions)[number];

/** What became of one person; `status` is the network's code, 200 when it was done. */
export interface ParticipantOutcome {
  /** JID as it was asked. */
  readonly person: string;
  readonly status: number;
}

/**
 * The groups of one profile. JIDs of people are `<digits>@c.us` or `<id>@lid`.
 *
 * @throws (all of them) Refused PROFILE_NOT_CONNECTED, FORBIDDEN when the profile is not in the group or no admin of it,
 * NOT_FOUND, CONFLICT, RATE_LIMITED, ENGINE_REFUSED, ENGINE_TIMEOUT: it may have been done
 */
export interface EngineGroups {
  list(): Promise<readonly EngineGroup[]>;
  read(id: string): Promise<EngineGroup>;
  create(name: string, people: readonly string[]): Promise<{ id: string; outcomes: readonly ParticipantOutcome[] }>;
  changeMembers(
    id: string,
    action: ParticipantAction,
    people: readonly string[],
  ): Promise<readonly ParticipantOutcome[]>;
  rename(id: string, name: string): Promise<void>;
  /** An empty text takes the description away. */
  describe(id: string, text: string): Promise<void>;
  leave(id: string): Promise<void>;
  /** The code that leads into the group; with `renew` the old one leads nowhere any more. */
  invitation(id: string, renew: boolean): Promise<string>;
}
