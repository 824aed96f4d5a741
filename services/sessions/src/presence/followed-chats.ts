import type { EventStore } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import { v7 } from 'uuid';
import type { EngineSession, Fact, PresenceShown } from '../engine/engine.ts';
import { ChatPresence, type Doing } from './chat-presence.ts';
import { presenceSeenStream } from './presence-seen.ts';

/** A chat that is subscribed. */
export interface FollowedChat {
  readonly conversationId: string;
  /** JID. */
  readonly chat: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Reads which chats of profiles are subscribed, by profile; profiles without any are left out. */
export type ReadFollowed = (profileIds: readonly string[]) => Promise<ReadonlyMap<string, readonly FollowedChat[]>>;

export interface FollowingParts {
  /** The lease of the profile: whoever has lost it tells nothing. */
  readonly lease: {
    readonly organizationId: string;
    readonly profileId: string;
    isAlive(): boolean;
  };
  readonly session: () => Pick<EngineSession, 'followPresence'>;
  readonly isConnected: () => boolean;
  readonly readFollowed: ReadFollowed;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How long an event may wait for others to be written with, milliseconds. */
const patienceMs = 50;

interface Following extends FollowedChat {
  readonly told: ChatPresence;
}

/** The chats of one profile whose presence is told; of all others nothing is kept, looked up or written. */
export class FollowedChats {
  readonly #parts: FollowingParts;
  readonly #chats = new Map<string, Following>();
  #last: Promise<void> = Promise.resolve();
  /** Reviews that were asked for. */
  #reviews = 0;
  #isStopped = false;

  constructor(parts: FollowingParts) {
    this.#parts = parts;
  }

  /** Reads anew which chats are subscribed, and follows them. Resolves also when that cannot be known now. */
  review(): Promise<void> {
    this.#reviews += 1;
    const { readFollowed, lease, log } = this.#parts;
    return this.#inTurn(async () => {
      const found = await readFollowed([lease.profileId]);
      await this.#follow(found.get(lease.profileId) ?? []);
    }).catch((error: Error) =>
      log.warn('Presence cannot be followed now', { profileId: lease.profileId, reason: error.message }),
    );
  }

  /**
   * To be called before chats are read for many profiles at once; what it returns follows those that were found and no others,
   * unless a review has been asked for meanwhile: that one may have read what is newer.
   */
  reading(): (chats: readonly FollowedChat[]) => Promise<void> {
    const reviews = this.#reviews;
    return (chats) =>
      this.#inTurn(async () => {
        if (reviews === this.#reviews) await this.#follow(chats);
      });
  }

  shown({ chat, author, presence, lastSeen }: PresenceShown): void {
    const following = this.#chats.get(chat);
    if (following === undefined || following.until <= this.#parts.clock.now()) return;
    following.told.take({
      presence,
      ...(author !== undefined && { author: author.jid }),
      ...(lastSeen !== undefined && { lastSeen: new Date(lastSeen).toISOString() }),
    });
  }

  /** Messages end what their authors were seen writing. */
  readonly heard = (facts: readonly Fact[]): void => {
    if (this.#chats.size === 0) return;
    for (const fact of facts) {
      if (fact.kind !== 'message' || fact.data.fromMe) continue;
      const { chat, author } = fact.data;
      const isGroup = chat.jid.endsWith('@g.us');
      for (const name of [chat.jid, chat.lid])
        if (name !== undefined) this.#chats.get(name)?.told.wrote(isGroup ? author.jid : undefined);
    }
  };

  stop(): void {
    this.#isStopped = true;
    for (const { told } of this.#chats.values()) told.stop();
    this.#chats.clear();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Asks the network, as far as it has not been asked on this connection. */
  async #follow(chats: readonly FollowedChat[]): Promise<void> {
    if (this.#isStopped || (chats.length === 0 && this.#chats.size === 0)) return;
    const wanted = new Set(chats.map(({ chat }) => chat));
    for (const [chat, { told }] of this.#chats) {
      if (wanted.has(chat)) continue;
      told.stop();
      this.#chats.delete(chat);
    }
    for (const followed of chats) {
      const told = this.#chats.get(followed.chat)?.told ?? this.#presenceOf(followed.chat);
      this.#chats.set(followed.chat, { ...followed, told });
    }
    const { session, isConnected } = this.#parts;
    if (isConnected()) await session().followPresence([...wanted]);
  }

  #presenceOf(chat: string): ChatPresence {
    return new ChatPresence(this.#parts.clock, (doing) => this.#tell(chat, doing));
  }

  /** Tells presence; what cannot be written is not told: it is of the moment. */
  async #tell(from: string, doing: Doing): Promise<void> {
    const { lease, store, log } = this.#parts;
    const { organizationId, profileId } = lease;
    const following = this.#chats.get(from);
    if (following === undefined || !lease.isAlive()) return;
    const seen = { conversationId: following.conversationId, from, ...doing };
    const metadata = {
      organizationId,
      profileId,
      subject: `organization:${organizationId}`,
      actor: 'service:sessions',
    };
    try {
      await store.handle(presenceSeenStream, v7(), { type: 'TellPresence', seen }, { metadata, patienceMs });
    } catch (error) {
      log.warn('Presence was not told', { profileId, reason: (error as Error).message });
      throw error;
    }
  }
}
