import { placeOfMedia } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import type { Lease, Leases } from '@messaging-gateway/leases';
import type { MediaSources, MediaStore } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock, Logger, Slots } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import type { Spans } from '@messaging-gateway/tracing';
import {
  notConnected,
  type ConnectionListener,
  type Engine,
  type EngineSession,
  type FactKeeper,
} from '../engine/engine.ts';
import { FollowedChats, type ReadFollowed } from '../presence/followed-chats.ts';
import { AccountHealth } from '../health/account-health.ts';
import { Sender } from '../sending/sender.ts';
import { sweep } from '../session-data/retention.ts';
import {
  SessionDataUnavailable,
  StaleEpoch,
  type SessionData,
  type SessionDataStore,
} from '../session-data/session-data-store.ts';
import { AttachedMedia, factsKept } from '../traffic/attached-media.ts';
import { Recorder } from '../traffic/recorder.ts';

/** The session data of one profile and what works on it, opened when it is needed. */
export class SessionInHand {
  readonly #parts: OpeningParts;
  readonly #isConnected: () => boolean;
  readonly #listener: (isCurrent: () => boolean) => ConnectionListener;
  #open: OpenSession | undefined;
  /** A write may still be on its way to the database under the present epoch. */
  #isDoubtful = false;

  /** @param listener hears the engine of a session for as long as that is the current one */
  constructor(
    parts: OpeningParts,
    isConnected: () => boolean,
    listener: (isCurrent: () => boolean) => ConnectionListener,
  ) {
    this.#parts = parts;
    this.#isConnected = isConnected;
    this.#listener = listener;
  }

  /** @throws Refused PROFILE_NOT_CONNECTED when the session data is not open */
  current(): OpenSession {
    if (this.#open === undefined) throw notConnected();
    return this.#open;
  }

  get session(): EngineSession | undefined {
    return this.#open?.session;
  }

  /** @throws StaleEpoch, SessionDataUnavailable */
  async opened(): Promise<OpenSession> {
    if (this.#isDoubtful) await this.#parts.lease.renew();
    this.#isDoubtful = false;
    this.#open ??= await openSession(this.#parts, this.#isConnected, (session) =>
      this.#listener(() => this.#open?.session === session()),
    );
    return this.#open;
  }

  /** Resolves when what was handed in is on the disk, or has failed. */
  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    open?.followed.stop();
    open?.health.leave();
    await open?.attached.stop();
    await open?.recorder.stop();
    await open?.data.settled();
  }

  /** A write has failed: what it left in memory is not trusted, and neither is that it will never be carried out. */
  async closeInDoubt(): Promise<void> {
    await this.close();
    this.#isDoubtful = true;
  }

  /** The link is gone: what belongs to it is erased. What came in before goes on into the journal. */
  async unlinked(): Promise<void> {
    const { lease, sessions } = this.#parts;
    // The restriction was that of the account, which the next link need not be.
    this.#open?.health.notified({ restriction: null });
    await this.close();
    await sessions.erase(lease.profileId, { only: ['signal', 'content', 'taken'], epoch: lease.epoch });
    await this.opened();
  }

  /** Everything. */
  async erase(): Promise<void> {
    await this.close();
    await this.#parts.sessions.erase(this.#parts.lease.profileId, this.#parts.lease);
  }

  /** Forgets what is older than 72 hours. */
  async sweep(now: number): Promise<void> {
    if (this.#open !== undefined) await sweep(this.#open.data, now);
  }
}

/** The open session of a profile: what exists while its session data is open. */
export interface OpenSession {
  readonly data: SessionData;
  readonly session: EngineSession;
  readonly recorder: Recorder;
  readonly attached: AttachedMedia;
  readonly sender: Sender;
  readonly followed: FollowedChats;
  readonly health: AccountHealth;
}

export interface OpeningParts {
  readonly lease: HeldLease;
  readonly engine: Engine;
  readonly sessions: SessionDataStore;
  readonly store: EventStore;
  readonly sql: Sql;
  readonly media: MediaStore;
  /** Where media of messages that go out come from. */
  readonly sources: MediaSources;
  /** Downloads of all profiles together. */
  readonly downloads: Slots;
  readonly clock: Clock;
  readonly log: Logger;
  /** Chats whose presence is told. */
  readonly readFollowed: ReadFollowed;
  readonly onSent: (outcome: string) => void;
  readonly spans: Spans;
}

/**
 * Opens a profile's session data for the holder of the lease, and takes up what the journal has not taken.
 *
 * @param listenerOf hears the engine of exactly this session
 * @throws StaleEpoch, SessionDataUnavailable
 */
async function openSession(
  {
    lease,
    engine,
    sessions,
    store,
    sql,
    media,
    sources,
    downloads,
    clock,
    log,
    onSent,
    spans,
    readFollowed,
  }: OpeningParts,
  isConnected: () => boolean,
  listenerOf: (session: () => EngineSession) => ConnectionListener,
): Promise<OpenSession> {
  const data = await sessions.open(lease.profileId, lease.epoch);
  const { organizationId } = lease;
  const recorder = await Recorder.over({ organizationId, data, store, clock, log });
  const fetching = { engine, media, slots: downloads, facts: recorder };
  const attached = await AttachedMedia.over({ organizationId, data, ...fetching, clock, log });
  const followed = new FollowedChats({ lease, session: () => session, isConnected, readFollowed, store, clock, log });
  const { profileId } = lease;
  const of = { organizationId, profileId };
  const health = await AccountHealth.over({ ...of, store, sql, clock, log, session: () => session });
  const listener = listenerOf(() => session);
  const session: EngineSession = engine.session({
    organizationId,
    data,
    media: ownMedia(organizationId, sources),
    facts: heardBy(followed, factsKept(recorder, attached)),
    listener: {
      ...listener,
      open: (as) => {
        listener.open(as);
        void followed.review();
        health.query().catch(({ message: reason }: Error) => {
          log.info('The network did not report the health of a profile', { profileId, reason });
        });
      },
      health: (reported) => health.notified(reported),
      presence: (shown) => followed.shown(shown),
    },
  });
  const sender = new Sender({ data, session, clock, health, isConnected, onSent, spans });
  recorder.start();
  attached.start();
  return { data, session, recorder, attached, sender, followed, health };
}

/** Keeper of facts that followers of presence hear of too, beside their keeping, which waits for nothing. */
const heardBy = ({ heard }: FollowedChats, facts: FactKeeper): FactKeeper => ({
  keep: (told) => {
    heard(told);
    return facts.keep(told);
  },
});

/** Media for messages of one organization: keys of another one lead nowhere, wherever they come from. */
const ownMedia = (organizationId: string, sources: MediaSources): MediaSources => ({
  open: async (source, kind, options) => {
    if ('key' in source && placeOfMedia(source.key)?.organizationId !== organizationId)
      throw new Refused('MEDIA_UNAVAILABLE', 'There are no such media.');
    return sources.open(source, kind, options);
  },
});

/** The lease of one profile in the hand of its holder. */
export class HeldLease {
  readonly #leases: Leases;
  readonly #isAlone: boolean;
  #lease: Lease;

  constructor(lease: Lease, leases: Leases, isAlone: boolean) {
    this.#lease = lease;
    this.#leases = leases;
    this.#isAlone = isAlone;
  }

  get current(): Lease {
    return this.#lease;
  }

  get profileId(): string {
    return this.#lease.key;
  }

  get organizationId(): string {
    return this.#lease.organizationId;
  }

  get epoch(): number {
    return this.#lease.epoch;
  }

  /** This replica may act on what it holds: it has renewed of late. */
  isAlive(): boolean {
    return this.#leases.isAlive();
  }

  /** Whether the row still names this replica: asked when another client took its place. */
  isHeld(): Promise<boolean> {
    return this.#leases.isHeld(this.#lease);
  }

  /** Whether another replica has the profile, as far as the row can be read. */
  async isLost(): Promise<boolean> {
    return !this.#isAlone && !(await this.isHeld().catch(() => true));
  }

  /**
   * Takes a higher epoch, which keeps out what may still be on its way to the database under the former one.
   *
   * @throws StaleEpoch when somebody else has the profile, SessionDataUnavailable when that cannot be known now
   */
  async renew(): Promise<void> {
    if (this.#isAlone) return;
    const [lease] = await this.#leases.claim([this.#lease]);
    if (lease !== undefined) this.#lease = lease;
    else if (await this.isHeld()) throw new SessionDataUnavailable('The lease cannot be renewed now.');
    else throw new StaleEpoch(this.profileId);
  }
}
