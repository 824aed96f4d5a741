import type { Caller } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Sql } from '@messaging-gateway/service';
import type { Engines } from '../engine/engines.ts';
import { callersProfile } from './profile-table.ts';

/**
 * The account's address book on the network: only the web-js-engine can write to it, which this
 * installation does not have.
 *
 * @throws Refused NOT_FOUND, FORBIDDEN, and ENGINE_UNSUPPORTED for every profile that there is
 */
export async function writeAddressBook(
  sql: Sql,
  engines: Engines,
  caller: Caller,
  profileId: string | undefined,
): Promise<never> {
  const { engine } = await callersProfile(sql, caller, profileId ?? '');
  throw new Refused('ENGINE_UNSUPPORTED', `The ${engine ?? engines.defaultKind} has no address book.`);
}
