import { randomUUID } from 'node:crypto';
import { SteerConnection } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { EngineKind } from '../engine/engine.ts';
import { Heartbeat } from '../lease/heartbeat.ts';
import { Leases, type Lease } from '../lease/leases.ts';
import type { ConnectionStatus } from '../profile/profile-events.ts';
import type { HolderTools } from './holder-tools.ts';
import { Held, type Steered, type Steering } from './holder.ts';
import { ProfileConnection, restarted } from './profile-connection.ts';
import { ProfileNotes } from './profile-notes.ts';

interface ToHold {
  readonly profileId: string;
  readonly organizationId: string;
  readonly engine: EngineKind | undefined;
}

const lookMs = 3_000;
const sweepMs = 3_600_000;
const notNow = (): Refused =>
  new Refused('SERVICE_UNAVAILABLE', 'The profile is being taken over.', undefined, { 'Retry-After': '2' });

/**
 * The profiles that this replica holds. It claims those that are wanted and that nobody alive holds, and connects them
 * again in waves; what is asked of a profile that somebody else holds goes there.
 */
export class ProfilesHeld {
  readonly #with: HolderTools;
  readonly #replicaId = randomUUID();
  readonly #held = new Map<string, Held>();
  readonly #taking = new Map<string, Promise<Held | undefined>>();
  readonly #heartbeat: Heartbeat;
  readonly #leases: Leases;
  #timers: NodeJS.Timeout[] = [];
  #looking: Promise<void> | undefined;
  #isStopped = false;

  constructor(holderTools: HolderTools) {
    this.#with = holderTools;
    const { sql, log, settings } = holderTools.tools;
    this.#leases = new Leases(sql, this.#replicaId, settings.isAlone);
    // A process that holds its folder and database alone stays the holder while the database is away.
    const onLost = (): void => void (settings.isAlone ? undefined : this.#letGo([...this.#held.values()]));
    this.#heartbeat = new Heartbeat({ sql, replicaId: this.#replicaId, log, onLost });
  }

  async start(): Promise<void> {
    const { log } = this.#with.tools;
    this.#isStopped = false;
    await this.#heartbeat.start();
    if (this.#with.tools.settings.isAlone) await this.#admitInterruption();
    this.#timers = [
      setInterval(() => this.#look(), lookMs).unref(),
      setInterval(() => void this.#sweep(), sweepMs).unref(),
    ];
    this.#look();
    void this.#takeRemainders().catch((error: Error) =>
      log.warn('Facts of profiles that are down could not be taken up', { reason: error.message }),
    );
  }

  /** Closes the sockets without logging out, and gives the profiles up for others. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#looking;
    await Promise.allSettled(this.#taking.values());
    const held = [...this.#held.values()];
    await this.#letGo(held);
    await Promise.allSettled(held.map(({ lease }) => this.#leases.release(lease)));
    await this.#heartbeat.stop();
  }

  /** Nothing is connected yet, whatever the last process left written: said before anybody can ask. */
  async #admitInterruption(): Promise<void> {
    const { sql, store, clock, log } = this.#with.tools;
    const rows = await sql.query<{ id: string; organization_id: string }>(
      `select id, organization_id from profiles where is_wanted and status = 'connected'`,
    );
    const at = new Date(clock.now()).toISOString();
    await Promise.all(
      rows.map((row) =>
        new ProfileNotes({ organizationId: row.organization_id, profileId: row.id, store, log }).note({
          type: 'NoteStatus',
          status: 'reconnecting',
          reason: restarted,
          at,
        }),
      ),
    );
  }

  get(profileId: string): Held | undefined {
    return this.#held.get(profileId);
  }

  statuses(): readonly ConnectionStatus[] {
    return [...this.#held.values()].map(({ connection }) => connection.status);
  }

  /** Does it here when this replica holds the profile or may take it, else where it is held. */
  async steer(steering: Steering, engine: EngineKind | undefined, deadline: number): Promise<Steered> {
    const { profileId, organizationId } = steering;
    const held = this.#held.get(profileId) ?? (await this.#take({ profileId, organizationId, engine }));
    if (held !== undefined) return held.steer(steering);
    return this.#with.tools.ask(SteerConnection, steering, { route: profileId, deadline });
  }

  /** Stops holding a profile that is gone. */
  async forget(profileId: string): Promise<void> {
    const held = this.#held.get(profileId);
    if (held !== undefined) await this.#letGo([held]);
    await this.#with.tools.sql.query('delete from leases where profile_id = $1', [profileId]);
  }

  #mayClaim(): boolean {
    return !this.#isStopped && (this.#with.tools.settings.isAlone || this.#heartbeat.isSteady());
  }

  async #take(profile: ToHold): Promise<Held | undefined> {
    const { profileId } = profile;
    const under = this.#taking.get(profileId);
    if (under !== undefined) return under;
    const taken = this.#claim(profile).finally(() => this.#taking.delete(profileId));
    this.#taking.set(profileId, taken);
    return taken;
  }

  async #claim(profile: ToHold): Promise<Held | undefined> {
    if (!this.#mayClaim()) throw notNow();
    if (this.#held.size >= this.#with.tools.settings.profilesPerProcess)
      throw new Refused('SERVICE_UNAVAILABLE', 'This installation holds as many connections as it may.', undefined, {
        'Retry-After': '60',
      });
    const engine = this.#with.engines.of(profile.engine ?? this.#with.engines.defaultKind);
    const [lease] = await this.#leases.claim([profile]);
    if (lease === undefined) return undefined;
    const { tools, sessions, qrCodes, metrics } = this.#with;
    const { store, clock, log, spans } = tools;
    const connection = new ProfileConnection({
      lease,
      engine,
      sessions,
      qrCodes,
      store,
      clock,
      log,
      spans,
      onSent: metrics.sent,
      isHeld: () => this.#leases.isHeld(lease),
      onTakenOver: () => void this.#lose(lease),
    });
    const held = new Held(lease, connection);
    this.#held.set(profile.profileId, held);
    // Unreadable or unwritable data is told when the profile connects.
    await connection
      .prepare()
      .catch((error: Error) =>
        log.warn('Session data could not be opened', { profileId: profile.profileId, reason: error.message }),
      );
    await held.serve(tools.serveRoute);
    return held;
  }

  /** Looks for profiles that should be connected and are not held by anybody alive. */
  #look(): void {
    this.#looking ??= this.#takeWanted()
      .catch((error: Error) =>
        this.#with.tools.log.warn('Looking for profiles to connect failed', { reason: error.message }),
      )
      .finally(() => void (this.#looking = undefined));
  }

  async #takeWanted(): Promise<void> {
    const { tools } = this.#with;
    if (!tools.settings.isAlone)
      for (const lease of await this.#leases.lost([...this.#held.values()].map((held) => held.lease)))
        await this.#lose(lease);
    if (!this.#mayClaim()) return;
    const rows = await tools.sql.query<{ id: string; organization_id: string; engine: EngineKind | null }>(
      `select p.id, p.organization_id, p.engine from profiles p where p.is_wanted and p.id <> all($1::uuid[])
        order by p.last_connected_at desc nulls last, p.id limit 500`,
      [[...this.#held.keys()]],
    );
    for (const row of rows) {
      if (!this.#mayClaim() || this.#held.size >= tools.settings.profilesPerProcess) return;
      const held = await this.#take({
        profileId: row.id,
        organizationId: row.organization_id,
        engine: row.engine ?? undefined,
      }).catch((error: Error) => {
        tools.log.warn('A profile could not be taken', { profileId: row.id, reason: error.message });
        return undefined;
      });
      if (held === undefined) continue;
      void held.connection.connect(true).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 1000 / tools.settings.reconnectsPerSecond));
    }
  }

  /** Profiles that stay down, and have facts that the journal had not taken when the process ended. */
  async #takeRemainders(): Promise<void> {
    const { sql } = this.#with.tools;
    const rows = await sql.query<{ id: string; organization_id: string; engine: EngineKind | null }>(
      'select id, organization_id, engine from profiles where not is_wanted',
    );
    for (const row of rows) {
      if (!this.#mayClaim() || !(await this.#with.sessions.holds(row.id, 'inbox'))) continue;
      await this.#take({ profileId: row.id, organizationId: row.organization_id, engine: row.engine ?? undefined });
    }
  }

  async #lose(lease: Lease): Promise<void> {
    const held = this.#held.get(lease.profileId);
    if (held?.lease.epoch === lease.epoch) await this.#letGo([held]);
  }

  async #letGo(held: readonly Held[]): Promise<void> {
    for (const { lease } of held) this.#held.delete(lease.profileId);
    await Promise.allSettled(held.map((one) => one.leave()));
  }

  async #sweep(): Promise<void> {
    for (const { connection } of this.#held.values()) await connection.sweep().catch(() => undefined);
  }
}
