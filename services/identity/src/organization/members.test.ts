import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AssignRole,
  ChangePassword,
  CreateApiKey,
  GetMe,
  ListApiKeys,
  ListMembers,
  ListUserPermissions,
  ListUserRoles,
  MemberRemoved,
  RemoveMember,
  UnassignUser,
  type Caller,
  type Page,
  personalDataHolders,
} from '@messaging-gateway/contracts';
import { eventually } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { IdentityFixture, newAddress, password, type Invited } from '../identity.fixture.ts';
import { ownerRoleId } from './system-roles.ts';

let fixture: IdentityFixture;
beforeAll(async () => {
  fixture = await IdentityFixture.start({ replicas: 2 });
});
afterAll(() => fixture.service.stop());

const refusal = (code: string) => expect.objectContaining({ code });

const invite = (caller: Caller, role?: string, email?: string, more: object = {}): Promise<Invited> =>
  fixture.invite(caller, role, email, more);
const list = async (caller: Caller, query: Record<string, unknown> = {}) =>
  (await fixture.service.call(ListMembers, { caller, query })).body as Page<Invited>;
const changeRole = (caller: Caller, id: string, role: string) => fixture.changeRole(caller, id, role);
const remove = (caller: Caller, id: string) => fixture.service.call(RemoveMember, { caller, params: { id } });
describe('an invitation', () => {
  it('makes a member who logs in with a temporary password and must change it', async () => {
    const owner = await fixture.newCaller();
    const invited = await invite(owner, 'operator');
    expect(invited).toMatchObject({ role: 'Operator', mustChangePassword: true });
    expect(invited.temporaryPassword.length).toBeGreaterThanOrEqual(12);
    const signedIn = await fixture.logIn(invited.email, invited.temporaryPassword);
    expect(signedIn).toMatchObject({ mustChangePassword: true, user: { role: 'Operator' } });
    expect(signedIn.user.organizationId).toBe(owner.organizationId);
    const caller = await fixture.callerOf(signedIn);
    expect(caller).toMatchObject({ mustChangePassword: true });
    await fixture.service.call(ChangePassword, {
      caller,
      body: { currentPassword: invited.temporaryPassword, newPassword: password },
    });
    expect(await fixture.callerOf(signedIn)).not.toHaveProperty('mustChangePassword');
    expect((await list(owner)).items).toEqual([
      expect.objectContaining({ id: owner.userId, role: 'Owner' }),
      expect.objectContaining({ id: invited.id, role: 'Operator', mustChangePassword: false }),
    ]);
    const stored = await fixture.service.sql.query('SELECT data FROM identity.events');
    expect(JSON.stringify(stored)).not.toContain(invited.temporaryPassword);
  });

  it('lets nobody in any more after a week, until the password was changed', async () => {
    const owner = await fixture.newCaller();
    const [late, early] = [await invite(owner), await fixture.memberOf(owner, 'Viewer')];
    fixture.service.clock.advance(7 * 86_400_000);
    await expect(fixture.logIn(late.email, late.temporaryPassword)).rejects.toEqual(refusal('UNAUTHORIZED'));
    await expect(fixture.logIn(early.invited.email, password)).resolves.toBeDefined();
  });

  it('is refused for an address in use, an unknown role, and more than the own permissions', async () => {
    const owner = await fixture.newCaller();
    const { email } = await invite(owner);
    await expect(invite(owner, 'Viewer', email.toUpperCase())).rejects.toEqual(refusal('CONFLICT'));
    await expect(invite(owner, 'King')).rejects.toEqual(refusal('VALIDATION_ERROR'));
    const admin = await fixture.memberOf(owner, 'Admin');
    const free = newAddress();
    await expect(invite(admin.caller, 'Owner', free)).rejects.toEqual(refusal('FORBIDDEN'));
    await expect(invite(admin.caller, 'Admin', free)).resolves.toMatchObject({ role: 'Admin' });
  });

  it('that comes again goes on with the same member and another password', async () => {
    const owner = await fixture.newCaller();
    const [resourceId, email] = [v7(), newAddress()];
    const first = await invite(owner, 'Viewer', email, { resourceId });
    const second = await invite(owner, 'Viewer', email, { resourceId });
    expect(second.id).toBe(first.id);
    await expect(fixture.logIn(email, first.temporaryPassword)).rejects.toEqual(refusal('UNAUTHORIZED'));
    await expect(fixture.logIn(email, second.temporaryPassword)).resolves.toMatchObject({ user: { id: first.id } });
  });

  it('goes to one of two organizations that invite the same person at the same moment', async () => {
    const email = newAddress();
    const owners = await Promise.all([fixture.newCaller(), fixture.newCaller()]);
    const outcomes = await Promise.allSettled(owners.map((owner) => invite(owner, 'Viewer', email)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const totals = await Promise.all(owners.map(async (owner) => (await list(owner)).total));
    expect(totals.includes(1) && totals.includes(2)).toBe(true);
  });
});

describe('members', () => {
  it('are listed page by page, to their organization only', async () => {
    const owner = await fixture.newCaller();
    const ids = [owner.userId, (await invite(owner)).id, (await invite(owner)).id];
    const first = await list(owner, { limit: 2 });
    const second = await list(owner, { limit: 2, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect([first.total, second.nextCursor]).toEqual([3, null]);
    expect((await list(await fixture.newCaller())).total).toBe(1);
  });

  it('get another role at once, in sessions and keys', async () => {
    const owner = await fixture.newCaller();
    const { invited, person, caller } = await fixture.memberOf(owner, 'Admin');
    const made = await fixture.service.call(CreateApiKey, { caller, body: { name: 'key' } });
    const { key } = made.body as { key: string };
    expect((await fixture.callerOfKey(key))?.permissions).toContain('webhook:manage');
    expect((await changeRole(owner, invited.id, 'Viewer')).body).toMatchObject({ role: 'Viewer' });
    expect((await fixture.callerOf(person)).permissions).not.toContain('webhook:manage');
    expect((await fixture.callerOfKey(key))?.permissions).not.toContain('webhook:manage');
    expect((await fixture.service.call(GetMe, { caller })).body).toMatchObject({ role: 'Viewer' });
    const roles = await fixture.service.call(ListUserRoles, { caller: owner, params: { userId: invited.id } });
    expect(roles.body).toMatchObject({ items: [{ name: 'Viewer', isSystem: true }] });
    const allowed = await fixture.service.call(ListUserPermissions, { caller: owner, params: { userId: invited.id } });
    expect((allowed.body as { permissions: string[] }).permissions).toEqual(
      (await fixture.callerOf(person)).permissions,
    );
  });

  it('of another organization are unknown', async () => {
    const [owner, stranger] = [await fixture.newCaller(), await fixture.newCaller()];
    const { id } = await invite(owner);
    for (const asked of [
      changeRole(stranger, id, 'Viewer'),
      remove(stranger, id),
      fixture.service.call(AssignRole, { caller: stranger, body: { userId: id, roleId: ownerRoleId } }),
      fixture.service.call(ListUserRoles, { caller: stranger, params: { userId: id } }),
      fixture.service.call(ListUserPermissions, { caller: stranger, params: { userId: id } }),
      fixture.service.call(UnassignUser, { caller: stranger, params: { userId: id, orgId: owner.organizationId } }),
      fixture.service.call(UnassignUser, { caller: stranger, params: { userId: id, orgId: stranger.organizationId } }),
    ]) {
      await expect(asked).rejects.toEqual(refusal('NOT_FOUND'));
    }
    expect((await list(owner)).total).toBe(2);
  });
});

describe('a member who is removed', () => {
  it('has no session and no key any more, and can be invited again', async () => {
    const owner = await fixture.newCaller();
    const { invited, person, caller } = await fixture.memberOf(owner, 'Admin');
    const made = await fixture.service.call(CreateApiKey, { caller, body: { name: 'key' } });
    const { key } = made.body as { key: string };
    expect((await remove(owner, invited.id)).status).toBe(204);
    await expect(fixture.callerOf(person)).rejects.toThrow('The session is over.');
    await expect(fixture.callerOfKey(key)).resolves.toBeNull();
    await expect(fixture.logIn(invited.email)).rejects.toEqual(refusal('UNAUTHORIZED'));
    await expect(fixture.refresh(person.refreshToken)).rejects.toEqual(refusal('UNAUTHORIZED'));
    expect((await fixture.service.call(ListApiKeys, { caller: owner })).body).toMatchObject({ items: [] });
    await expect(remove(owner, invited.id)).rejects.toEqual(refusal('NOT_FOUND'));
    const told = await fixture.service.published(MemberRemoved);
    expect(told.filter(({ data }) => data.userId === invited.id)).toHaveLength(1);
    expect((await invite(owner, 'Viewer', invited.email)).id).not.toBe(invited.id);
  });

  it('is erased everywhere, as nobody can ask for that any more', async () => {
    const owner = await fixture.newCaller();
    const { invited, caller } = await fixture.memberOf(owner, 'Admin');
    await fixture.service.call(CreateApiKey, { caller, body: { name: 'key of the removed' } });
    await fixture.service.call(RemoveMember, { caller: owner, params: { id: invited.id } });
    const { organizationId } = owner;
    const of = { userId: invited.id, organizationId, wholeOrganization: false };
    await eventually(async () => {
      const rows = await fixture.service.sql.query(
        'SELECT 1 FROM identity.user_erasures WHERE user_id = $1 AND times > 0',
        [invited.id],
      );
      return rows.length > 0 ? true : undefined;
    });
    // By each service, for nobody else; once more where both replicas have done it.
    const erased = fixture.erased.filter(({ whose }) => whose.userId === invited.id);
    expect(new Set(erased.map(({ by }) => by))).toEqual(new Set(personalDataHolders.map(({ erase }) => erase.name)));
    for (const { whose } of erased) expect(whose).toEqual(of);
    const [left] = await fixture.service.sql.query<Record<string, boolean>>(
      `SELECT EXISTS (SELECT FROM identity.user_sessions WHERE user_id = $1) AS sessions,
              EXISTS (SELECT FROM identity.api_keys WHERE maker_id = $1) AS keys,
              EXISTS (SELECT FROM identity.subject_keys WHERE subject = $2 AND sealed IS NOT NULL) AS sealed`,
      [invited.id, `user:${invited.id}`],
    );
    expect(left).toEqual({ sessions: false, keys: false, sealed: false });
    expect((await list(owner)).total).toBe(1);
  });
});

describe('the last Owner', () => {
  it('stays when all Owners leave at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const owner = await fixture.newCaller();
      const { caller: other } = await fixture.memberOf(owner, 'Owner');
      const outcomes = await Promise.allSettled([
        round % 2 === 0 ? remove(owner, owner.userId) : changeRole(owner, owner.userId, 'Viewer'),
        round % 2 === 0 ? remove(other, other.userId) : changeRole(other, other.userId, 'Viewer'),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
    }
  });
});
