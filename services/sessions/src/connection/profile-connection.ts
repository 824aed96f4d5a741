import { Refused } from '@messaging-gateway/messaging';
import { sweep } from '../delivery/sent-records.ts';
import { requireCapability } from '../engine/engines.ts';
import type { CloseCause, EngineListener } from '../engine/engine.ts';
import { notConnected } from '../engine/not-connected.ts';
import type { ConnectionStatus } from '../profile/profile-events.ts';
import { backoffMs } from './backoff.ts';
import { openSession, type OpeningParts, type OpenSession } from './open-session.ts';
import { ProfileNotes } from './profile-notes.ts';
import type { QrCodes } from './qr-codes.ts';
import { consequenceOf } from './status-reasons.ts';

export interface ConnectionParts extends OpeningParts {
  readonly qrCodes: QrCodes;
  /** Whether this replica still holds the profile: asked when another client took its place. */
  readonly isHeld: () => Promise<boolean>;
  /** Somebody else holds the profile: nothing more is to be done here. */
  readonly onTakenOver: () => void;
}

/** A connection that lasted so long starts anew with the shortest wait. */
const lastedMs = 10_000;
/** Nobody types a pairing code into a connection that is still being made after so long. */
const pairingMs = 30_000;
/** A link that cannot be removed on the network in this time is removed here alone. */
const unlinkingMs = 8_000;
/** Why a profile that was connected is not: this process has only just taken it up. */
export const restarted = 'RESTARTED';

/** Keeps one profile connected for as long as it is wanted and held here. */
export class ProfileConnection {
  readonly #parts: ConnectionParts;
  readonly #notes: ProfileNotes;
  #open: OpenSession | undefined;
  #status: ConnectionStatus = 'disconnected';
  #isWanted = false;
  /** It was connected before this process took it up. */
  #isResumed = false;
  #failures = 0;
  #openedAt = 0;
  #cancelRetry: () => void = () => undefined;
  /** Starts and stops one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    const { lease, store, log } = parts;
    this.#notes = new ProfileNotes({ ...lease, store, log });
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  /** Opens the session data and takes up what the journal has not taken. */
  async prepare(): Promise<void> {
    await this.#inOrder(() => this.#opened());
  }

  /** Idempotent: a connection that is there or under way stays the only one. */
  async connect(isResumed = false): Promise<ConnectionStatus> {
    if (this.#isWanted && this.#status !== 'failed') return this.#status;
    this.#isWanted = true;
    this.#isResumed = isResumed;
    this.#failures = 0;
    await this.#inOrder(() => this.#start());
    return this.#status;
  }

  /** @throws Refused CONFLICT when it is linked, ENGINE_UNSUPPORTED, ENGINE_TIMEOUT */
  async pair(phoneNumber: string): Promise<string> {
    requireCapability(this.#parts.engine, 'pairing-code');
    await this.connect();
    const { session } = this.current();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new Refused('ENGINE_TIMEOUT', 'The network gave no pairing code in time.')),
      pairingMs,
    );
    return Promise.race([session.requestPairingCode(phoneNumber), late]).finally(() => clearTimeout(timer));
  }

  /** Goes down and keeps the link. */
  async disconnect(): Promise<void> {
    this.#rest('disconnected');
    await this.#inOrder(async () => this.#open?.session.stop());
    await this.#notes.note({ type: 'UnwantConnection', at: this.#now() });
  }

  /** Removes the link on the network too, connecting for it where needed, and all session data. */
  async unlink(): Promise<void> {
    await this.#connectedToUnlink();
    this.#rest('disconnected');
    await this.#inOrder(async () => {
      await this.#open?.session.logout();
      await this.#closed();
      await this.#parts.sessions.erase(this.#parts.lease.profileId);
    });
  }

  /** Leaves without a word: the process ends, or somebody else holds the profile. The link stays. */
  async leave(): Promise<void> {
    this.#rest('disconnected');
    await this.#inOrder(async () => {
      await this.#open?.session.stop();
      await this.#closed();
    });
  }

  /** @throws Refused PROFILE_NOT_CONNECTED when the session data is not open */
  current(): OpenSession {
    if (this.#open === undefined) throw notConnected();
    return this.#open;
  }

  /** Forgets what is older than 72 hours. */
  async sweep(): Promise<void> {
    if (this.#open !== undefined) await sweep(this.#open.data, this.#parts.clock.now());
  }

  async #connectedToUnlink(): Promise<void> {
    const isLinked = await this.#open?.session.isLinked().catch(() => false);
    if (isLinked !== true) return;
    await this.connect(true);
    for (let waited = 0; waited < unlinkingMs && this.#isWanted && this.status !== 'connected'; waited += 50) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  #rest(status: ConnectionStatus): void {
    this.#isWanted = false;
    this.#status = status;
    this.#cancelRetry();
    void this.#parts.qrCodes.hide(this.#parts.lease.profileId).catch(() => undefined);
  }

  async #start(): Promise<void> {
    if (!this.#isWanted) return;
    try {
      const { session } = await this.#opened();
      const isAgain = (await session.isLinked()) && (this.#failures > 0 || this.#isResumed);
      // After a failure the reason that was told stands until the connection is open again.
      if (this.#failures === 0) this.#become(isAgain ? 'reconnecting' : 'connecting', isAgain ? restarted : undefined);
      else this.#status = isAgain ? 'reconnecting' : 'connecting';
      await session.start();
    } catch (error) {
      this.#parts.log.warn('A connection could not be started', {
        profileId: this.#parts.lease.profileId,
        reason: (error as Error).message,
      });
      if ((error as Error).name === 'StaleEpoch') return this.#parts.onTakenOver();
      await this.#ended(
        (error as Error).name === 'SessionDataUnavailable' ? 'storage' : 'lost',
        (error as Error).message,
      );
    }
  }

  async #opened(): Promise<OpenSession> {
    this.#open ??= await openSession(
      this.#parts,
      () => this.#status === 'connected',
      (session) => this.#listener(() => this.#open?.session === session()),
    );
    return this.#open;
  }

  async #closed(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.recorder.stop();
  }

  #listener(isCurrent: () => boolean): EngineListener {
    const { lease, qrCodes, clock } = this.#parts;
    return {
      qr: (qr, validForMs) => {
        if (!isCurrent() || !this.#isWanted) return;
        const expiresAt = new Date(clock.now() + validForMs).toISOString();
        this.#status = 'awaiting_scan';
        void qrCodes.show(lease.profileId, { qr, expiresAt }, validForMs).catch(() => undefined);
        void this.#notes.note({ type: 'NoteQr', qr, expiresAt, at: this.#now() });
      },
      open: ({ phoneNumber, pushName }) => {
        if (!isCurrent() || !this.#isWanted) return;
        this.#status = 'connected';
        this.#openedAt = clock.now();
        void qrCodes.hide(lease.profileId).catch(() => undefined);
        void this.#notes.note({ type: 'NoteConnected', phoneNumber, pushName, at: this.#now() });
      },
      named: (pushName) => {
        if (isCurrent()) void this.#notes.note({ type: 'NotePushName', pushName, at: this.#now() });
      },
      closed: (cause, detail) => {
        if (isCurrent() && this.#isWanted) void this.#inOrder(() => this.#ended(cause, detail));
      },
    };
  }

  async #ended(cause: CloseCause, detail: string): Promise<void> {
    const { lease, log, qrCodes, clock } = this.#parts;
    log.info('A connection ended', { profileId: lease.profileId, cause, detail });
    void qrCodes.hide(lease.profileId).catch(() => undefined);
    if (cause === 'restart') return this.#start();
    if (cause === 'replaced' && !(await this.#parts.isHeld().catch(() => true))) return this.#parts.onTakenOver();
    if (this.#openedAt > 0 && clock.now() - this.#openedAt > lastedMs) this.#failures = 0;
    this.#openedAt = 0;
    const isLinked = (await this.#open?.session.isLinked().catch(() => true)) ?? true;
    const { status, reason, again } = consequenceOf(cause, isLinked);
    // What was in memory may be ahead of the disk, or belong to a link that is gone.
    if (cause === 'storage' || cause === 'logged-out') await this.#closed();
    if (cause === 'logged-out') {
      await this.#parts.sessions.erase(lease.profileId, ['signal', 'content', 'taken']);
      // What came in before goes on into the journal.
      await this.#opened();
    }
    if (!again && status !== 'failed') this.#rest(status);
    this.#become(status, reason);
    if (again) this.#startLater(cause === 'replaced' ? 3 : 0);
  }

  /** @param more steps of the backoff to begin with */
  #startLater(more: number): void {
    const wait = backoffMs(this.#failures + more);
    this.#failures += 1;
    this.#cancelRetry = this.#parts.clock.at(
      this.#parts.clock.now() + wait,
      () => void this.#inOrder(() => this.#start()),
    );
  }

  #become(status: Exclude<ConnectionStatus, 'connected'>, reason: string | undefined): void {
    this.#status = status;
    void this.#notes.note({ type: 'NoteStatus', status, reason, at: this.#now() });
  }

  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const run = this.#last.then(work);
    this.#last = run.catch((error: unknown) =>
      this.#parts.log.warn('A connection failed', { profileId: this.#parts.lease.profileId, reason: String(error) }),
    );
    return run;
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}
