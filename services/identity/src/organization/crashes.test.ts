import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ListApiKeys,
  CreateApiKey,
  ListMembers,
  RemoveMember,
  type Caller,
  type Page,
} from '@messaging-gateway/contracts';
import { eventually } from '@messaging-gateway/testing';
import { IdentityFixture, newAddress } from '../identity.fixture.ts';

let fixture: IdentityFixture;
beforeAll(async () => {
  fixture = await IdentityFixture.start();
  await fixture.service.sql.query(`
    CREATE FUNCTION identity.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'cut off'; END $$`);
});
afterAll(() => fixture.service.stop());

/** As if the process ended before it changes this table: nothing is written there until it is started again. */
async function cutOff(before: 'INSERT' | 'UPDATE', table: string, work: () => Promise<unknown>): Promise<void> {
  const { sql } = fixture.service;
  await sql.query(
    `CREATE TRIGGER cut_off BEFORE ${before} ON identity.${table} FOR EACH STATEMENT EXECUTE FUNCTION identity.refuse()`,
  );
  await expect(work()).rejects.toThrow();
  await sql.query(`DROP TRIGGER cut_off ON identity.${table}`);
  await fixture.service.restart();
}

const members = async (caller: Caller): Promise<string[]> =>
  ((await fixture.service.call(ListMembers, { caller })).body as Page<{ email: string }>).items.map(
    ({ email }) => email,
  );
const removal = (caller: Caller, id: string) => fixture.service.call(RemoveMember, { caller, params: { id } });

describe('after a crash in the middle', () => {
  it('an invitation is completed', async () => {
    const owner = await fixture.newCaller();
    const email = newAddress();
    await cutOff('INSERT', 'members', () => fixture.invite(owner, 'Viewer', email));
    await eventually(async () => ((await members(owner)).includes(email) ? true : undefined));
  });

  it('a removal is completed: no key, no session, a free address', async () => {
    const owner = await fixture.newCaller();
    const { invited, person, caller } = await fixture.memberOf(owner, 'Admin');
    await fixture.service.call(CreateApiKey, { caller, body: { name: 'key' } });
    await cutOff('UPDATE', 'api_keys', () => removal(owner, invited.id));
    await expect(fixture.callerOf(person)).rejects.toThrow('The session is over.');
    await eventually(async () => {
      const { body } = await fixture.service.call(ListApiKeys, { caller: owner });
      return (body as Page<object>).items.length === 0 ? true : undefined;
    });
    expect((await fixture.invite(owner, 'Viewer', invited.email)).id).not.toBe(invited.id);
    expect(await members(owner)).toHaveLength(2);
  });
});
