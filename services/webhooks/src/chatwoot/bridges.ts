import { ListIntegrations, ReadIntegrations } from '@messaging-gateway/contracts';
import { openedFor } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';
import { inboxOf, type ChatwootSettings, type Inbox } from './settings.ts';

/** A bridge of an organization. */
export interface Bridge {
  readonly settings: ChatwootSettings;
  /** Undefined: nothing is posted. */
  readonly inbox: Inbox | undefined;
}

type Tools = Pick<ServiceTools<unknown>, 'ask' | 'clock' | 'encryption' | 'sql'>;

/** Organizations that are remembered, at most. */
const most = 20_000;
/** Statements that began earlier than this have ended, or will fail, milliseconds. */
const slowest = 10_000;
/** An organization's settings are asked for anew so often at most when somebody brings a token that is not known, milliseconds. */
const refreshMs = 1_000;
const together = 200;

/**
 * Bridges as identity has them, remembered: an organization without one costs no statement per message. What another replica
 * learns is known here within a second.
 */
export class Bridges {
  readonly #tools: Tools;
  readonly #known = new Map<string, Promise<Bridge>>();
  readonly #refreshed = new Map<string, number>();
  #lookedAt: Date | undefined;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  async of(organizationId: string): Promise<Bridge> {
    const known = this.#known.get(organizationId);
    if (known !== undefined) return known;
    const reading = this.#read(organizationId);
    this.#known.set(organizationId, reading);
    reading.catch(() => this.#known.delete(organizationId));
    const [oldest] = this.#known.keys();
    if (this.#known.size > most && oldest !== undefined) this.#known.delete(oldest);
    return reading;
  }

  /** Takes over what identity has now. An older state never takes the place of a newer one, and nothing that of an organization that was erased. */
  async follow(organizationId: string): Promise<void> {
    const { ask, encryption, sql } = this.#tools;
    const { version, settings } = await ask(ReadIntegrations, { organizationId });
    const { chatwoot = {} } = openedFor(encryption, organizationId, settings) as { chatwoot?: ChatwootSettings };
    if (Object.keys(chatwoot).length > 0)
      await sql.query(
        `INSERT INTO chatwoot_bridges AS held (organization_id, version, sealed, enabled, changed_at)
         SELECT $1, $2, $3, $4, clock_timestamp()
          WHERE NOT EXISTS (SELECT FROM subject_keys WHERE subject = 'organization:' || $1::uuid AND erased_at IS NOT NULL)
         ON CONFLICT (organization_id) DO UPDATE SET version = excluded.version, sealed = excluded.sealed,
           enabled = excluded.enabled, changed_at = excluded.changed_at WHERE held.version <= excluded.version`,
        [organizationId, version, settings, chatwoot.enabled === true],
      );
    this.#known.delete(organizationId);
  }

  /** The bridge of an organization, read anew: for settings that may not be known here yet. */
  async refresh(organizationId: string): Promise<Bridge> {
    const now = this.#tools.clock.now();
    if (now - (this.#refreshed.get(organizationId) ?? -Infinity) >= refreshMs) {
      if (this.#refreshed.size > most) this.#refreshed.clear();
      this.#refreshed.set(organizationId, now);
      await this.follow(organizationId);
    }
    return this.of(organizationId);
  }

  /** Learns the settings that were made before this service heard of changes. */
  async followAll(signal: AbortSignal): Promise<void> {
    let after: string | undefined;
    do {
      const asked = { limit: together, ...(after !== undefined && { after }) };
      const { organizationIds, next } = await this.#tools.ask(ListIntegrations, asked);
      for (const organizationId of organizationIds) {
        if (signal.aborted) return;
        await this.follow(organizationId);
      }
      after = next ?? undefined;
    } while (after !== undefined && !signal.aborted);
  }

  /** Looks what others have changed. */
  async look(): Promise<void> {
    const since = this.#lookedAt === undefined ? null : new Date(this.#lookedAt.getTime() - slowest);
    const rows = await this.#tools.sql.query<{ organization_id: string | null; now: Date | null }>(
      `SELECT clock_timestamp() AS now, NULL::uuid AS organization_id
        UNION ALL SELECT NULL::timestamptz, organization_id FROM chatwoot_bridges WHERE changed_at > $1`,
      [since],
    );
    this.#lookedAt = rows[0]?.now ?? this.#lookedAt;
    for (const { organization_id } of rows) if (organization_id !== null) this.#known.delete(organization_id);
  }

  forget(organizationId: string): void {
    this.#known.delete(organizationId);
  }

  async #read(organizationId: string): Promise<Bridge> {
    const [row] = await this.#tools.sql.query<{ sealed: string; enabled: boolean }>(
      'SELECT sealed, enabled FROM chatwoot_bridges WHERE organization_id = $1',
      [organizationId],
    );
    if (row === undefined) return { settings: {}, inbox: undefined };
    const { chatwoot = {} } = openedFor(this.#tools.encryption, organizationId, row.sealed) as {
      chatwoot?: ChatwootSettings;
    };
    return { settings: chatwoot, inbox: row.enabled ? inboxOf(organizationId, chatwoot) : undefined };
  }
}

/** Whether a bridge is for a profile. */
export const isFor = ({ settings: { profileIds } }: Bridge, profileId: string): boolean =>
  profileIds === undefined || profileIds.includes(profileId);
