import { createHmac } from 'node:crypto';
import type { AppendGuard } from '@messaging-gateway/event-sourcing';
import { everyOrganization, type ServiceTools } from '@messaging-gateway/service';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { UserRow } from './users-view.ts';

/** The user who has an address, by a keyed hash of it. */
export const AddressRow = defineEntity({
  name: 'AddressRow',
  tableName: 'addresses',
  properties: {
    hash: p.text().primary(),
    user: () => p.manyToOne(UserRow).joinColumn('user_id').createForeignKeyConstraint(false),
  },
});

/** The key of those hashes: one row. */
export const AddressKeyRow = defineEntity({
  name: 'AddressKeyRow',
  tableName: 'address_key',
  properties: { id: p.boolean().primary().default(true), key: p.text() },
});

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
export function addresses({ em }: Pick<ServiceTools<unknown>, 'em'>): Addresses {
  let key: Promise<string> | undefined;
  const readKey = async (): Promise<string> => (await em().findOneOrFail(AddressKeyRow, { id: true })).key;
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

/** In one question, so that known addresses cost no more time than others. @param hash of an address */
export async function userWithAddress(
  em: EntityManager,
  hash: string,
): Promise<InferEntity<typeof UserRow> | undefined> {
  const found = await em.findOne(
    AddressRow,
    { hash },
    { populate: ['user'], strategy: 'joined', ...everyOrganization },
  );
  return found?.user;
}

/** Two spellings of one address look the same after this. */
export const normalizeAddress = (email: string): string => email.trim().normalize('NFKC').toLowerCase();
