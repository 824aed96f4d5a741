import type { BinaryNode } from '@whiskeysockets/baileys';

/** A restriction of an account: it cannot write to people who have never written to it. */
export type Restriction = {
  /** Type of enforcement, for example `BIZ_QUALITY`. */
  type: string;
  /** ISO 8601. Null: the network names no end, and ends the restriction only when it is told to. */
  until: string | null;
  /** Whether the network notifies the linked clients of the restriction; true by default. The end is notified in any case. */
  notify?: boolean;
};

/** Number of new chats that an account may begin in a cycle. Times are ISO 8601. */
export type NewChats = {
  status: 'none' | 'first_warning' | 'second_warning' | 'capped';
  used: number;
  quota: number;
  cycleStart?: string;
  cycleEnd?: string;
};

/** What the network allows an account. Null: nothing is restricted, or no quota is reported. */
export type Allowance = { restriction: Restriction | null; newChats: NewChats | null };

/** A person, as far as a restriction is concerned. */
export type Account = {
  readonly phone: string;
  readonly allowance: Allowance;
  readonly outbox: { written(to: string): readonly unknown[] };
  readonly past:
    | {
        readonly chats: readonly {
          readonly contact: unknown;
          readonly messages: readonly { readonly byOwner: boolean }[];
        }[];
      }
    | undefined;
  readonly devices: ReadonlyMap<number, { deliver(stanza: BinaryNode): void }>;
};

const RESTRICTED = 463;

const secondsOf = (time: string | null | undefined): string =>
  time === null || time === undefined ? '0' : String(Math.floor(Date.parse(time) / 1000));

/** The restriction that is in force now. */
function active({ restriction }: Allowance): Restriction | undefined {
  if (restriction === null) return undefined;
  return restriction.until === null || Date.parse(restriction.until) > Date.now() ? restriction : undefined;
}

/** The code with which the network refuses a message to somebody who has never written to the account; 0 refuses none. */
export function refusalByRestriction(sender: Account, recipient: Account | undefined): number {
  if (recipient === undefined || recipient === sender || active(sender.allowance) === undefined) return 0;
  return hasWritten(recipient, sender) ? 0 : RESTRICTED;
}

const hasWritten = (author: Account, reader: Account): boolean =>
  author.outbox.written(reader.phone).length > 0 ||
  reader.past?.chats.some(({ contact, messages }) => contact === author && messages.some(({ byOwner }) => !byOwner)) ===
    true;

/** The network's answer to a query for a restriction. */
export function timelock(allowance: Allowance): object {
  const restriction = active(allowance);
  if (restriction === undefined) return { is_active: false };
  return {
    is_active: true,
    time_enforcement_ends: secondsOf(restriction.until),
    enforcement_type: restriction.type,
  };
}

/** The network's answer to a query for the quota of new chats. */
export const cappingInfo = ({ newChats }: Allowance): object | null =>
  newChats && {
    total_quota: newChats.quota,
    used_quota: newChats.used,
    cycle_start_timestamp: secondsOf(newChats.cycleStart),
    cycle_end_timestamp: secondsOf(newChats.cycleEnd),
    capping_status: newChats.status.toUpperCase(),
  };
