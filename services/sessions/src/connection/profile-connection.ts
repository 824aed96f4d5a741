import { Refused } from '@messaging-gateway/messaging';
import { isUnavailable, settledWithin } from '@messaging-gateway/runtime';
import type { Closing, ConnectionListener, EngineSession } from '../engine/engine.ts';
import { requireCapability } from '../engine/engines.ts';
import type { ConnectionStatus } from '../profiles/profile.ts';
import { type ConnectionFaults, ConnectionReport } from './connection-faults.ts';
import type { LoginTurns, Rank } from './login-turns.ts';
import { Login, rankOf, type Beginning } from './login.ts';
import { SessionInHand, type OpenSession, type OpeningParts } from './open-session.ts';
import type { QrCodes } from './qr-codes.ts';
import { consequenceOf, placeNeeded, restarted } from './status-reasons.ts';
import { ToldStatus } from './told-status.ts';

export interface ConnectionParts extends OpeningParts {
  readonly qrCodes: QrCodes;
  readonly faults: ConnectionFaults;
  /** Logins of all profiles together. */
  readonly turns: LoginTurns;
  /** Called when another replica holds the profile: nothing more is to be done here. */
  readonly onTakenOver: () => void;
}

/** Keeps one profile connected for as long as it is wanted and held here. */
export class ProfileConnection {
  readonly #parts: ConnectionParts;
  readonly #told: ToldStatus;
  readonly #report: ConnectionReport;
  readonly #login: Login;
  readonly #inHand: SessionInHand;
  readonly #arrival = new Arrival();
  #status: ConnectionStatus = 'disconnected';
  #isWanted: boolean | undefined;
  #beginning: Beginning = 'wanted';
  /** Changes whenever the connection is given up: what was under way before is of no interest then. */
  #term = 0;
  /** Starts and stops one after the other. */
  readonly #steps: InOrder;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    const { log } = parts;
    const { organizationId, profileId } = parts.lease;
    this.#told = new ToldStatus({ ...parts, organizationId, profileId });
    this.#report = new ConnectionReport({ ...parts, organizationId, profileId });
    this.#login = new Login({ ...parts, organizationId, begin: () => this.#steps.run(() => this.#start()) });
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

  /** Whether the connection waits for a scan. */
  get isUnscanned(): boolean {
    return this.#isWanted === true && this.#status === 'awaiting_scan';
  }

  /** Opens the session data and takes up what the journal has not taken. */
  async prepare(): Promise<void> {
    await this.#steps.run(() => this.#inHand.opened());
  }

  /** Idempotent: a connection that is there or under way stays the only one. */
  async connect(beginning: Beginning = 'wanted', rank: Rank = rankOf[beginning]): Promise<ConnectionStatus> {
    if (this.#isWanted && this.#status !== 'failed') {
      if (this.#login.isWaiting && rank !== 'again') this.#login.ask(rank);
      if (beginning === 'wanted') this.#told.isStill();
      return this.#status;
    }
    this.#isWanted = true;
    this.#beginning = beginning;
    if (beginning === 'handed-over')
      this.#arrival.expect(() => {
        if (this.#isWanted === true && this.#status !== 'connected') this.#become('reconnecting', restarted);
      });
    this.#login.first(rank);
    if (!this.#login.isWaiting) await this.#login.begun;
    return this.#status;
  }

  /** Tells that the profile's last holder is gone. What it showed to be scanned or typed is worth nothing any more. */
  async interrupted(before: ConnectionStatus): Promise<void> {
    if (before === 'connected') this.#become('reconnecting', restarted);
    if (before !== 'awaiting_scan') return;
    this.#become('connecting', undefined);
    await this.#told.hideQr();
  }

  /** Says, before anybody can ask, that the profile was connected elsewhere a moment ago and is about to be here. */
  readonly expected = (): void => this.#arrival.expect(() => undefined);

  /** Waits a while for a profile that was taken over and is on its way. @returns false: it still is */
  readonly arrived = (): Promise<boolean> => this.#arrival.settled();

  /** @throws Refused CONFLICT when it is linked, ENGINE_UNSUPPORTED, ENGINE_TIMEOUT */
  async pair(phoneNumber: string): Promise<string> {
    requireCapability(this.#parts.engine, 'pairing-code');
    await this.connect();
    await this.#login.begun;
    return pairingCode(this.current().session, phoneNumber);
  }

  /** Goes down and keeps the link. @param isWritten that nobody wants it is written already; a connect may come meanwhile */
  async disconnect(isWritten = false): Promise<void> {
    await this.#down();
    if (!isWritten || this.#isWanted !== true) await this.#told.isUnwanted(isWritten);
  }

  /** Ends the wait for a scan, since another profile needs the place. */
  async giveWay(): Promise<void> {
    await this.#down();
    this.#become('disconnected', placeNeeded);
  }

  /** Tells once more where the connection stands when the status in the profile's row is another one. */
  tellAgain(row: ConnectionStatus): void {
    if (this.#isWanted !== true || this.#login.isWaiting || !this.#told.again(row)) return;
    this.#parts.log.warn('The status of a profile was not what is so', { profileId: this.#parts.lease.profileId });
  }

  /** Removes the link on the network too, connecting for it where needed, and all session data. */
  async unlink(): Promise<void> {
    const isLinked = await this.#inHand.session?.isLinked().catch(() => false);
    if (isLinked === true) await connectedToUnlink(this);
    this.#rest('disconnected');
    await this.#steps.run(async () => {
      await this.#inHand.session?.logout();
      await this.#inHand.erase();
    });
  }

  /** Leaves without a word: the process ends, or somebody else holds the profile. The link stays. */
  async leave(): Promise<void> {
    this.#rest('disconnected');
    this.#told.leave();
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

  async #down(): Promise<void> {
    this.#rest('disconnected');
    await this.#steps.run(async () => this.#inHand.session?.stop());
  }

  #rest(status: ConnectionStatus): void {
    this.#isWanted = false;
    this.#status = status;
    this.#term += 1;
    this.#arrival.settle();
    this.#login.giveUp();
    void this.#told.hideQr();
  }

  async #start(): Promise<void> {
    if (!this.#isWanted) return;
    const term = this.#term;
    try {
      const { session } = await this.#inHand.opened();
      const isLinked = await session.isLinked();
      if (!this.#isWanted) return;
      const isAgain = isLinked && (this.#login.isRepeated || this.#beginning !== 'wanted');
      // After a failure the reason that was told stands until the connection is open again.
      const isSilent = this.#login.isRepeated || (isLinked && this.#beginning === 'handed-over');
      if (!isSilent) this.#become(isAgain ? 'reconnecting' : 'connecting', isAgain ? restarted : undefined);
      else this.#status = isAgain ? 'reconnecting' : 'connecting';
      await session.start();
    } catch (error) {
      const { lease, log, onTakenOver } = this.#parts;
      const { name, message: reason } = error as Error;
      log.warn('A connection could not be started', { profileId: lease.profileId, reason });
      if (name === 'StaleEpoch') return onTakenOver();
      const cause = name === 'SessionDataUnavailable' || isUnavailable(error) ? 'storage' : 'lost';
      await this.#ended({ cause, detail: reason }, term);
    }
  }

  #listener(isCurrent: () => boolean): ConnectionListener {
    return {
      qr: (qr, validForMs) => {
        if (!isCurrent() || !this.#isWanted) return;
        this.#status = 'awaiting_scan';
        this.#told.awaitsScan(qr, validForMs);
      },
      open: (as) => {
        if (!isCurrent() || !this.#isWanted) return;
        this.#status = 'connected';
        this.#report.opened();
        this.#login.opened();
        this.#arrival.settle();
        void this.#told.hideQr();
        this.#told.isConnected(as);
      },
      named: (pushName) => {
        if (isCurrent()) this.#told.isNamed(pushName);
      },
      closed: (closing) => {
        if (!isCurrent() || !this.#isWanted) return;
        const term = this.#term;
        void this.#steps.run(() => this.#ended(closing, term));
      },
    };
  }

  /** @param term in which it ended: one that is over needs nothing more, and is told nothing of */
  async #ended(closing: Closing, term: number): Promise<void> {
    const { lease } = this.#parts;
    const { cause } = closing;
    if (term !== this.#term) return;
    this.#report.ended(closing);
    void this.#told.hideQr();
    if (cause === 'restart') {
      // Scanned: from here on it gives way to nobody.
      this.#status = 'connecting';
      this.#login.goesOn();
      return this.#start();
    }
    if (cause === 'replaced' && !(await lease.isHeld().catch(() => true))) return this.#parts.onTakenOver();
    this.#login.ended();
    const isLinked = (await this.#inHand.session?.isLinked().catch(() => true)) ?? true;
    const { status, reason, again } = consequenceOf(cause, isLinked);
    // What was in memory may be ahead of the disk, or belong to a link that is gone.
    if (cause === 'storage') await this.#inHand.closeInDoubt();
    if (term !== this.#term) return;
    if (again && this.#arrival.isAwaited) {
      // It was handed over: nobody need hear of a login that failed, as long as one succeeds in time.
      this.#status = 'reconnecting';
      return this.#login.later(0);
    }
    if (cause === 'logged-out') await this.#inHand.unlinked();
    this.#arrival.settle();
    if (!again && (status !== 'failed' || !isLinked)) this.#rest(status);
    this.#become(status, reason);
    if (again) this.#login.later(cause === 'replaced' ? 3 : 0);
  }

  #become(status: Exclude<ConnectionStatus, 'connected'>, reason: string | undefined): void {
    this.#status = status;
    this.#told.is(status, reason);
  }
}

/** A link that cannot be removed on the network in this time is removed here alone. */
const unlinkingMs = 8_000;
const lookMs = 50;

/** Connects a profile to have its link removed on the network. Resolves when it is connected, or takes too long. */
async function connectedToUnlink(
  connection: Pick<ProfileConnection, 'connect' | 'status' | 'isWanted'>,
): Promise<void> {
  await connection.connect('resumed', 'now');
  const isOnItsWay = (): boolean => connection.isWanted === true && connection.status !== 'connected';
  for (let waited = 0; waited < unlinkingMs && isOnItsWay(); waited += lookMs)
    await new Promise((resolve) => setTimeout(resolve, lookMs));
}

/** Longest time a connection may take for a pairing code to be worth typing, milliseconds. */
const pairingMs = 30_000;

/** @throws Refused CONFLICT when the session is linked, ENGINE_TIMEOUT */
async function pairingCode(session: EngineSession, phoneNumber: string): Promise<string> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Refused('ENGINE_TIMEOUT', 'The network gave no pairing code in time.')),
    pairingMs,
  );
  return Promise.race([session.requestPairingCode(phoneNumber), late]).finally(() => clearTimeout(timer));
}

/** Runs one piece of work after the other; what fails holds up nothing behind it. */
export class InOrder {
  readonly #onFailure: (error: unknown) => void;
  #last: Promise<unknown> = Promise.resolve();

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const run = this.#last.then(work);
    this.#last = run.catch((error: unknown) => this.#onFailure(error));
    return run;
  }
}

/** How long a profile that was taken over may be away before that is told, milliseconds (docs/decisions/0814). */
const handOverMs = 20_000;
/** How long a request waits for it here; then whoever asks asks again, and can give it up in between. Milliseconds. */
const waitMs = 2_000;

/** A profile that was taken over from another replica, on its way: requests wait for it instead of being refused. */
class Arrival {
  #awaited: PromiseWithResolvers<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Begins to wait, also again: those who wait go on waiting. @param onLate called when it has not arrived in time */
  expect(onLate: () => void): void {
    clearTimeout(this.#timer);
    this.#awaited ??= Promise.withResolvers<void>();
    this.#timer = setTimeout(() => {
      this.settle();
      onLate();
    }, handOverMs).unref();
  }

  /** Settles those who wait: the profile is connected, or is known not to be. */
  settle(): void {
    clearTimeout(this.#timer);
    this.#awaited?.resolve();
    this.#awaited = undefined;
  }

  get isAwaited(): boolean {
    return this.#awaited !== undefined;
  }

  /** Resolves at once when nothing is on its way. @returns whether nothing is, after a while */
  async settled(): Promise<boolean> {
    if (this.#awaited !== undefined) await settledWithin(waitMs, this.#awaited.promise);
    return this.#awaited === undefined;
  }
}
