import { isUnavailable } from '@messaging-gateway/runtime';
import { requireCapability } from '../engine/engines.ts';
import type { CloseCause, EngineListener } from '../engine/engine.ts';
import type { ConnectionStatus } from '../profile/profile-events.ts';
import { Arrival } from './arrival.ts';
import { backoffMs } from './backoff.ts';
import { InOrder } from './in-order.ts';
import type { OpeningParts, OpenSession } from './open-session.ts';
import { pairingCode } from './pairing.ts';
import { ProfileNotes } from './profile-notes.ts';
import type { QrCodes } from './qr-codes.ts';
import { SessionInHand } from './session-in-hand.ts';
import { consequenceOf, restarted } from './status-reasons.ts';

export interface ConnectionParts extends OpeningParts {
  readonly qrCodes: QrCodes;
  /** Somebody else holds the profile: nothing more is to be done here. */
  readonly onTakenOver: () => void;
}

/** A connection that lasted so long starts anew with the shortest wait. */
const lastedMs = 10_000;
/** A link that cannot be removed on the network in this time is removed here alone. */
const unlinkingMs = 8_000;

/** Somebody wants it; its process is gone; or its replica has handed it over, and nobody need hear of the moment between. */
export type Beginning = 'wanted' | 'resumed' | 'handed-over';

/** Keeps one profile connected for as long as it is wanted and held here. */
export class ProfileConnection {
  readonly #parts: ConnectionParts;
  readonly #notes: ProfileNotes;
  readonly #inHand: SessionInHand;
  readonly #arrival = new Arrival();
  #status: ConnectionStatus = 'disconnected';
  #isWanted: boolean | undefined;
  #beginning: Beginning = 'wanted';
  #failures = 0;
  #openedAt = 0;
  #cancelRetry: () => void = () => undefined;
  /** Starts and stops one after the other. */
  readonly #steps: InOrder;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    const { store, log } = parts;
    const { organizationId, profileId } = parts.lease;
    this.#notes = new ProfileNotes({ organizationId, profileId, store, log });
    this.#steps = new InOrder((error) => log.warn('A connection failed', { profileId, reason: String(error) }));
    const isConnected = (): boolean => this.#status === 'connected';
    this.#inHand = new SessionInHand(parts, isConnected, (isCurrent) => this.#listener(isCurrent));
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  /** Undefined until somebody has said so. */
  get isWanted(): boolean | undefined {
    return this.#isWanted;
  }

  /** Opens the session data and takes up what the journal has not taken. */
  async prepare(): Promise<void> {
    await this.#steps.run(() => this.#inHand.opened());
  }

  /** Idempotent: a connection that is there or under way stays the only one. */
  async connect(beginning: Beginning = 'wanted'): Promise<ConnectionStatus> {
    if (this.#isWanted && this.#status !== 'failed') return this.#status;
    this.#isWanted = true;
    this.#beginning = beginning;
    this.#failures = 0;
    const late = (): void => {
      if (this.#isWanted === true && this.#status !== 'connected') this.#become('reconnecting', restarted);
    };
    if (beginning === 'handed-over') this.#arrival.expect(late);
    await this.#steps.run(() => this.#start());
    return this.#status;
  }

  /** Tells that the profile's last holder is gone. What it showed to be scanned or typed is worth nothing any more. */
  async interrupted(before: ConnectionStatus): Promise<void> {
    if (before === 'connected') this.#become('reconnecting', restarted);
    if (before !== 'awaiting_scan') return;
    this.#become('connecting', undefined);
    await this.#parts.qrCodes.hide(this.#parts.lease.profileId).catch(() => undefined);
  }

  /** It was connected elsewhere a moment ago and is about to be here: said before anybody can ask. */
  readonly expected = (): void => this.#arrival.expect(() => undefined);

  /** Waits while a profile that was taken over is on its way, 10 s at most. */
  readonly arrived = (): Promise<void> => this.#arrival.settled();

  /** @throws Refused CONFLICT when it is linked, ENGINE_UNSUPPORTED, ENGINE_TIMEOUT */
  async pair(phoneNumber: string): Promise<string> {
    requireCapability(this.#parts.engine, 'pairing-code');
    await this.connect();
    return pairingCode(this.current().session, phoneNumber);
  }

  /** Goes down and keeps the link. */
  async disconnect(): Promise<void> {
    this.#rest('disconnected');
    await this.#steps.run(async () => this.#inHand.session?.stop());
    await this.#notes.note({ type: 'UnwantConnection', at: this.#now() });
  }

  /** Removes the link on the network too, connecting for it where needed, and all session data. */
  async unlink(): Promise<void> {
    await this.#connectedToUnlink();
    this.#rest('disconnected');
    await this.#steps.run(async () => {
      await this.#inHand.session?.logout();
      await this.#inHand.close();
      await this.#parts.sessions.erase(this.#parts.lease.profileId, this.#parts.lease);
    });
  }

  /** Leaves without a word: the process ends, or somebody else holds the profile. The link stays. */
  async leave(): Promise<void> {
    this.#rest('disconnected');
    // At once: what is under way may wait for a database that is away.
    await this.#inHand.session?.stop();
    await this.#steps.run(async () => {
      await this.#inHand.session?.stop();
      await this.#inHand.close();
    });
  }

  /** @throws Refused PROFILE_NOT_CONNECTED when the session data is not open */
  current(): OpenSession {
    return this.#inHand.current();
  }

  /** Forgets what is older than 72 hours. */
  readonly sweep = (): Promise<void> => this.#inHand.sweep(this.#parts.clock.now());

  async #connectedToUnlink(): Promise<void> {
    const isLinked = await this.#inHand.session?.isLinked().catch(() => false);
    if (isLinked !== true) return;
    await this.connect('resumed');
    for (let waited = 0; waited < unlinkingMs && this.#isWanted && this.status !== 'connected'; waited += 50) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  #rest(status: ConnectionStatus): void {
    this.#isWanted = false;
    this.#status = status;
    this.#arrival.settle();
    this.#cancelRetry();
    void this.#parts.qrCodes.hide(this.#parts.lease.profileId).catch(() => undefined);
  }

  async #start(): Promise<void> {
    if (!this.#isWanted) return;
    try {
      const { session } = await this.#inHand.opened();
      const isLinked = await session.isLinked();
      if (!this.#isWanted) return;
      const isAgain = isLinked && (this.#failures > 0 || this.#beginning !== 'wanted');
      // After a failure the reason that was told stands until the connection is open again.
      const isSilent = this.#failures > 0 || (isLinked && this.#beginning === 'handed-over');
      if (!isSilent) this.#become(isAgain ? 'reconnecting' : 'connecting', isAgain ? restarted : undefined);
      else this.#status = isAgain ? 'reconnecting' : 'connecting';
      await session.start();
    } catch (error) {
      this.#parts.log.warn('A connection could not be started', {
        profileId: this.#parts.lease.profileId,
        reason: (error as Error).message,
      });
      const { name, message } = error as Error;
      if (name === 'StaleEpoch') return this.#parts.onTakenOver();
      await this.#ended(name === 'SessionDataUnavailable' || isUnavailable(error) ? 'storage' : 'lost', message);
    }
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
        this.#arrival.settle();
        void qrCodes.hide(lease.profileId).catch(() => undefined);
        void this.#notes.note({ type: 'NoteConnected', phoneNumber, pushName, at: this.#now() });
      },
      named: (pushName) => {
        if (isCurrent()) void this.#notes.note({ type: 'NotePushName', pushName, at: this.#now() });
      },
      closed: (cause, detail) => {
        if (isCurrent() && this.#isWanted) void this.#steps.run(() => this.#ended(cause, detail));
      },
    };
  }

  async #ended(cause: CloseCause, detail: string): Promise<void> {
    const { lease, log, qrCodes, clock } = this.#parts;
    log.info('A connection ended', { profileId: lease.profileId, cause, detail });
    void qrCodes.hide(lease.profileId).catch(() => undefined);
    if (cause === 'restart') return this.#start();
    if (cause === 'replaced' && !(await lease.isHeld().catch(() => true))) return this.#parts.onTakenOver();
    if (this.#openedAt > 0 && clock.now() - this.#openedAt > lastedMs) this.#failures = 0;
    this.#openedAt = 0;
    const isLinked = (await this.#inHand.session?.isLinked().catch(() => true)) ?? true;
    const { status, reason, again } = consequenceOf(cause, isLinked);
    // What was in memory may be ahead of the disk, or belong to a link that is gone.
    if (cause === 'storage') await this.#inHand.closeInDoubt();
    if (cause === 'logged-out') {
      await this.#inHand.close();
      const { profileId, epoch } = lease;
      await this.#parts.sessions.erase(profileId, { only: ['signal', 'content', 'taken'], epoch });
      // What came in before goes on into the journal.
      await this.#inHand.opened();
    }
    this.#arrival.settle();
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
      () => void this.#steps.run(() => this.#start()),
    );
  }

  #become(status: Exclude<ConnectionStatus, 'connected'>, reason: string | undefined): void {
    this.#status = status;
    void this.#notes.note({ type: 'NoteStatus', status, reason, at: this.#now() });
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}
