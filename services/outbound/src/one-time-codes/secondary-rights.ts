import { createHash } from 'node:crypto';
import { DescribeProfile } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { ServiceTools, Sql } from '@messaging-gateway/service';
import { dayOf } from '../time/clock.ts';
import type { Otp } from './channels.ts';

export interface SecondaryRightsParts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly ask: ServiceTools<unknown>['ask'];
  /** Codes of an organization in a day, at most. */
  readonly perOrganization: number;
  /** Codes to one recipient of an organization in a day, at most. */
  readonly perRecipient: number;
}

/** The whole organization: no recipient's name. */
const everybody = '';

/**
 * Rights to use the secondary channels: they are the operator's, and cost money and reputation. A profile that has
 * linked a phone has them; a day's codes are counted. Recipients stand as hashes, for two days.
 */
export class SecondaryRights {
  readonly #parts: SecondaryRightsParts;

  constructor(parts: SecondaryRightsParts) {
    this.#parts = parts;
  }

  /** The profile is connected, so it is linked. */
  async linked(profileId: string): Promise<void> {
    await this.#parts.sql.query('INSERT INTO linked_profiles (profile_id) VALUES ($1) ON CONFLICT DO NOTHING', [
      profileId,
    ]);
  }

  /** The profile is gone. */
  async forget(profileId: string): Promise<void> {
    await this.#parts.sql.query('DELETE FROM linked_profiles WHERE profile_id = $1', [profileId]);
  }

  /** The organization is erased. */
  async forgetAll(organizationId: string): Promise<void> {
    await this.#parts.sql.query(
      'DELETE FROM linked_profiles WHERE profile_id IN (SELECT profile_id FROM policies WHERE organization_id = $1)',
      [organizationId],
    );
  }

  async wasLinked(organizationId: string, profileId: string): Promise<boolean> {
    const { ask, sql } = this.#parts;
    const rows = await sql.query('SELECT 1 FROM linked_profiles WHERE profile_id = $1', [profileId]);
    if (rows.length > 0) return true;
    try {
      const { phoneNumber } = await ask(DescribeProfile, { organizationId, profileId });
      return phoneNumber !== undefined;
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
  }

  /** Counts one code. @returns whether there was room for it today */
  async take(organizationId: string, { to, email }: Otp): Promise<boolean> {
    const { perOrganization, perRecipient } = this.#parts;
    // No country code begins with 0: with zeros before it the number is the same to whoever dials it.
    const recipients = [to.replace(/^0+/, ''), ...(email === undefined ? [] : [email.toLowerCase()])].map((name) =>
      createHash('sha256').update(`${organizationId} ${name}`).digest('hex'),
    );
    for (const recipient of recipients) if (!(await this.#count(organizationId, recipient, perRecipient))) return false;
    return this.#count(organizationId, everybody, perOrganization);
  }

  async #count(organizationId: string, recipient: string, most: number): Promise<boolean> {
    if (most === 0) return false;
    const { clock, sql } = this.#parts;
    const rows = await sql.query<{ count: number }>(
      `INSERT INTO secondary_codes AS code (organization_id, day, recipient, count) VALUES ($1, $2, $3, 1)
       ON CONFLICT (organization_id, day, recipient) DO UPDATE SET count = code.count + 1 WHERE code.count < $4
       RETURNING count`,
      [organizationId, dayOf(clock.now()), recipient, most],
    );
    // The first code of somebody takes away what is left of the days before.
    if (rows[0]?.count === 1)
      await sql.query(
        `DELETE FROM secondary_codes WHERE (organization_id, day, recipient) IN (
           SELECT organization_id, day, recipient FROM secondary_codes WHERE day < $1 LIMIT 100 FOR UPDATE SKIP LOCKED)`,
        [dayOf(clock.now() - 86_400_000)],
      );
    return rows.length > 0;
  }
}
