import type { Member } from '../audience/member.ts';
import { concerns, type Draft } from './draft.ts';

/** A fact that is to be told. */
export interface NewsRow {
  readonly id: string;
  /** Compared as texts. */
  readonly sequence: string;
  readonly at: Date;
  readonly draft: Draft;
}

/** Facts that are told as one notification: of several with the same tally the last. */
export interface Gathered {
  readonly draft: Draft;
  readonly at: Date;
  /** Ids of the facts. */
  readonly ids: readonly string[];
  /** When each of them happened. */
  readonly times: readonly Date[];
  /** The highest sequence among them. */
  readonly sequence: string;
}

/**
 * Gathers what was told of the same chat, or is the same over again, in the order in which each began.
 *
 * @param told sequence of the last message of chats that was told, by conversation
 * @returns `repeats`: ids of messages that were told before
 */
export function gather(
  news: readonly NewsRow[],
  told: ReadonlyMap<string, string>,
): { readonly gathered: Gathered[]; readonly repeats: string[] } {
  const all = new Map<string, Gathered>();
  const repeats: string[] = [];
  for (const { id, sequence, at, draft } of news) {
    const last = draft.conversationId === undefined ? undefined : told.get(draft.conversationId);
    if (last !== undefined && last >= sequence) {
      repeats.push(id);
      continue;
    }
    const key = draft.tally ?? id;
    const before = all.get(key);
    all.set(key, {
      draft,
      at,
      ids: [...(before?.ids ?? []), id],
      times: [...(before?.times ?? []), at],
      sequence: before === undefined || before.sequence < sequence ? sequence : before.sequence,
    });
  }
  return { gathered: [...all.values()], repeats };
}

/** A notification of one user. */
export interface Addressed extends Gathered {
  readonly userId: string;
}

/** Notifications with the members who receive them: those who were members when it happened, and whom it concerns. */
export const address = (gathered: readonly Gathered[], members: readonly Member[]): Addressed[] =>
  gathered.flatMap((one) =>
    members
      .filter((member) => concerns(one.draft, member))
      .flatMap((member) => {
        const ids = one.ids.filter((_, index) => wasMember(member, one.draft, one.times[index] ?? one.at));
        return ids.length === 0 ? [] : [{ ...one, ids, userId: member.userId }];
      }),
  );

/** A user's own security events are addressed to them alone, also from before they joined. */
const wasMember = ({ joinedAt }: Member, { onlyUser }: Draft, at: Date): boolean =>
  onlyUser !== undefined || joinedAt === undefined || at >= joinedAt;
