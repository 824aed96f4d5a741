import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import { endOf, restricted, restrictedRefusal } from '../gate/restriction.ts';
import type { SendGate } from '../gate/send-gate.ts';
import type { Failure, KnownMessage } from '../message/message.ts';
import { dayOf, jakartaTimestamp, nextReset } from '../time/clock.ts';
import type { OpenMessage, Standing } from './agenda.ts';
import type { Strangers } from './strangers.ts';

export interface HoldParts {
  readonly gate: SendGate;
  readonly strangers: Strangers;
  readonly clock: Clock;
  /** Something is known that was not. */
  readonly onFound: () => void;
}

/** A lane that holds messages looks so often whether a stranger has written, milliseconds. */
const lookMs = 10_000;

const strangerLimit = {
  code: 'RATE_LIMITED',
  message: 'The profile has written to as many people who have never written to it as it may on a day.',
} as const satisfies Failure;

/** Keeps messages to strangers back while the account of a profile is restricted, or has reached its limit for strangers. */
export class Hold {
  readonly #parts: HoldParts;
  /** Strangers written to today, by conversation. */
  #today: { readonly day: string; readonly chats: Set<string> } | undefined;
  #isReading = false;

  constructor(parts: HoldParts) {
    this.#parts = parts;
  }

  /** Whether any message may be held now. */
  get isActive(): boolean {
    const { clock, gate } = this.#parts;
    const now = clock.now();
    return gate.restrictionAt(now) !== undefined || gate.strangersPerDay !== undefined;
  }

  /** When the lane looks again, milliseconds since 1970. */
  get lookAgainAt(): number {
    const now = this.#parts.clock.now();
    const restriction = this.#parts.gate.restrictionAt(now);
    return Math.min(now + lookMs, nextReset(now), restriction === undefined ? Infinity : endOf(restriction));
  }

  of(entry: OpenMessage): Standing {
    const { clock, gate, strangers } = this.#parts;
    const now = clock.now();
    const isRestricted = gate.restrictionAt(now) !== undefined;
    if (!isRestricted && gate.strangersPerDay === undefined) return 'allowed';
    const { conversationId, mode, parcel, restrictedUntil = 0 } = entry;
    const standing = strangers.standingOf(conversationId);
    const isToldNow = mode === 'synchronous' || parcel?.facts.origin === 'broadcast';
    if (isRestricted && (standing === 'stranger' || now < restrictedUntil)) return isToldNow ? restricted : 'held';
    if (standing !== 'stranger') return standing === 'known' ? 'allowed' : 'held';
    const isRoom = this.#isRoomFor(conversationId);
    if (isRoom === undefined) return 'held';
    return isRoom ? 'allowed' : isToldNow ? strangerLimit : 'held';
  }

  /** Why a message to a chat cannot be accepted now. @param to JID */
  async refusalOf(to: string): Promise<Refused | undefined> {
    const { clock, gate, strangers } = this.#parts;
    if (!this.isActive) return undefined;
    const { organizationId, profileId } = gate;
    const chat = { organizationId, profileId, to };
    if (!(await strangers.isStranger(chat))) return undefined;
    const restriction = gate.restrictionAt(clock.now());
    if (restriction !== undefined) return restrictedRefusal(restriction);
    await this.#read();
    return this.#isRoomFor(strangers.idOf(chat)) === false ? this.#limitRefusal() : undefined;
  }

  /** The refusal of a message that failed because it was held; undefined for other messages. */
  refusalFor({ status, error, facts: { messageId } }: KnownMessage): Refused | undefined {
    if (status !== 'failed') return undefined;
    const restriction = this.#parts.gate.restrictionAt(this.#parts.clock.now());
    if (error?.code === restricted.code && restriction !== undefined) return restrictedRefusal(restriction, messageId);
    return error?.code === strangerLimit.code ? this.#limitRefusal(messageId) : undefined;
  }

  /** Counts the receiver before a message is handed over. */
  async count({ conversationId }: OpenMessage): Promise<void> {
    const { clock, gate, strangers } = this.#parts;
    if (gate.strangersPerDay === undefined || strangers.standingOf(conversationId) !== 'stranger') return;
    const day = dayOf(clock.now());
    if (this.#today?.day !== day || this.#today.chats.has(conversationId)) return;
    this.#today.chats.add(conversationId);
    await strangers.count(gate, day, [conversationId]);
  }

  /** Undefined: it is not known yet how many there were today. */
  #isRoomFor(conversationId: string): boolean | undefined {
    const { clock, gate } = this.#parts;
    if (gate.strangersPerDay === undefined) return true;
    if (this.#today?.day !== dayOf(clock.now())) {
      void this.#read().then(this.#parts.onFound, () => undefined);
      return undefined;
    }
    const { chats } = this.#today;
    return chats.has(conversationId) || chats.size < gate.strangersPerDay;
  }

  async #read(): Promise<void> {
    const { clock, gate, strangers } = this.#parts;
    const day = dayOf(clock.now());
    if (this.#isReading || this.#today?.day === day) return;
    this.#isReading = true;
    try {
      this.#today = { day, chats: await strangers.writtenTo(gate.profileId, day) };
    } finally {
      this.#isReading = false;
    }
  }

  #limitRefusal(messageId?: string): Refused {
    const now = this.#parts.clock.now();
    const resetAt = nextReset(now);
    const details = { limit: 'strangers', resetAt: jakartaTimestamp(resetAt), ...(messageId !== undefined && { messageId }) };
    return new Refused(strangerLimit.code, strangerLimit.message, details, {
      'Retry-After': String(Math.ceil((resetAt - now) / 1000)),
    });
  }
}
