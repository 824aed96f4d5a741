import { createHmac } from 'node:crypto';
import type { AppendGuard } from '@messaging-gateway/event-sourcing';
import type { Sql } from '@messaging-gateway/service';

/**
 * Claims an address for a user in the statement that registers the user: of two at the same moment one is granted.
 * The table holds a keyed hash only, and its row goes when the user is deleted, so that the address is free again.
 */
export const addressGuard: AppendGuard = {
  name: 'address',
  before: [
    [
      'claimed_addresses',
      `INSERT INTO {schema}.addresses (hash, user_id)
       SELECT request->>'hash', (request->>'userId')::uuid FROM {requests}
       ON CONFLICT (hash) DO NOTHING RETURNING user_id`,
    ],
  ],
  sql: `SELECT asked.command FROM {requests} asked
          JOIN claimed_addresses ON claimed_addresses.user_id = (asked.request->>'userId')::uuid`,
};

/** Turns addresses into keyed hashes. */
export interface Addresses {
  hashOf(email: string): Promise<string>;
}

/** The key is made by the migration and never changes: the hashes must be found again. */
export function addresses(sql: Sql): Addresses {
  let key: Promise<string> | undefined;
  const readKey = async (): Promise<string> => {
    const rows = await sql.query<{ key: string }>('SELECT key FROM identity.address_key');
    if (rows[0] === undefined) throw new Error('The key of the addresses is missing.');
    return rows[0].key;
  };
  return {
    hashOf: async (email) => {
      key ??= readKey().catch((error: unknown) => {
        key = undefined;
        throw error;
      });
      return createHmac('sha256', await key)
        .update(normalizeAddress(email))
        .digest('hex');
    },
  };
}

/** Two spellings of one address look the same after this. */
export const normalizeAddress = (email: string): string => email.trim().normalize('NFKC').toLowerCase();
