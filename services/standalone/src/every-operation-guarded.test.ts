import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  operations,
  permissions,
  systemRoles,
  type Operation,
  type Permission,
  type SystemRole,
} from '@messaging-gateway/contracts';
import { startGuarded, type Credential, type Guarded, type Outcome } from './guarded.fixture.ts';
import { v7 } from 'uuid';

const password = 'correct horse battery';
const roles = Object.keys(systemRoles) as SystemRole[];
const isPermission = (access: Operation['access']): access is Permission =>
  (permissions as readonly string[]).includes(access);
/** Permissions that some operation asks for. */
const asked = [...new Set(operations.map(({ access }) => access).filter(isPermission))];

const bearer = (token: string): Credential => ({ authorization: `Bearer ${token}` });

let guarded: Guarded;
let owner: Credential;
const people = new Map<SystemRole, Credential>();
/** May do all that their maker may, within bounds of another kind. */
const limitedKeys = {
  'a key without limits': {},
  'a key for some profiles': { profileIds: [v7()] },
  'a key for some addresses': { allowedCidrs: ['127.0.0.0/8'] },
  'a key for some time': { expiresInDays: 1 },
};
/** Keys of the roles, and such that allow one permission only, or everything but one. */
const keys = new Map<string, Credential>();
let newcomer: Credential;
let revoked: Credential;

async function join(role: SystemRole): Promise<{ email: string; credential: Credential; temporaryPassword: string }> {
  const email = `${role.toLowerCase()}-${people.size}@example.com`;
  const invited = await guarded.call('POST', '/organizations/members', { email, name: role, role }, owner);
  const { temporaryPassword } = invited.body as { temporaryPassword: string };
  const signedIn = await guarded.call('POST', '/auth/login', { email, password: temporaryPassword });
  const { accessToken } = signedIn.body as { accessToken: string };
  return { email, credential: bearer(accessToken), temporaryPassword };
}

async function makeKey(limits: object): Promise<{ id: string; credential: Credential }> {
  const made = await guarded.call('POST', '/api-keys', { name: 'key', ...limits }, owner);
  expect(made.status).toBe(201);
  const { id, key } = made.body as { id: string; key: string };
  return { id, credential: { 'x-api-key': key } };
}

beforeAll(async () => {
  guarded = await startGuarded();
  const registered = await guarded.call('POST', '/auth/register', { email: 'ada@example.com', password, name: 'Ada' });
  owner = bearer((registered.body as { accessToken: string }).accessToken);
  for (const role of roles) {
    const { credential, temporaryPassword } = await join(role);
    const change = { currentPassword: temporaryPassword, newPassword: password };
    expect((await guarded.call('POST', '/auth/change-password', change, credential)).status).toBe(200);
    people.set(role, credential);
  }
  newcomer = (await join('Owner')).credential;
  for (const permission of asked) {
    keys.set(`only ${permission}`, (await makeKey({ permissions: [permission] })).credential);
    keys.set(
      `not ${permission}`,
      (await makeKey({ permissions: permissions.filter((other) => other !== permission) })).credential,
    );
  }
  for (const [name, limits] of Object.entries(limitedKeys)) keys.set(name, (await makeKey(limits)).credential);
  const gone = await makeKey({});
  expect((await guarded.call('DELETE', `/api-keys/${gone.id}`, undefined, owner)).status).toBe(204);
  revoked = gone.credential;
});
afterAll(() => guarded.stop());

const ofRole = (role: SystemRole, access: Operation['access']): Outcome =>
  !isPermission(access) || (systemRoles[role] as readonly Permission[]).includes(access) ? 'passes' : 403;

/** The outcome for each credential, by the contract. */
function expected({ access, beforePasswordChange, refusesKeysLimitedIn = [] }: Operation): Record<string, Outcome> {
  const isPublic = access === 'public';
  const nobody = isPublic ? 'passes' : 401;
  const anyKey = access === 'own:write' ? 403 : 'passes';
  return {
    ...Object.fromEntries(roles.map((role) => [role, ofRole(role, access)])),
    'a key without limits': anyKey,
    'a key for this alone': refusesKeysLimitedIn.includes('permissions') ? 403 : anyKey,
    'a key for all but this': isPermission(access) || refusesKeysLimitedIn.includes('permissions') ? 403 : anyKey,
    'a key for some profiles': refusesKeysLimitedIn.includes('profiles') ? 403 : anyKey,
    'a key for some addresses': refusesKeysLimitedIn.includes('addresses') ? 403 : anyKey,
    'a key for some time': refusesKeysLimitedIn.includes('time') ? 403 : anyKey,
    'a temporary password': isPublic || beforePasswordChange === true ? 'passes' : 403,
    nothing: nobody,
    'a forged token': nobody,
    'an unknown key': nobody,
    'a revoked key': nobody,
  };
}

function credentialsFor({ access }: Operation): Record<string, Credential | undefined> {
  const permission = isPermission(access) ? access : asked[0];
  return {
    ...Object.fromEntries(people),
    'a key for this alone': keys.get(`only ${permission}`),
    'a key for all but this': keys.get(`not ${permission}`),
    ...Object.fromEntries(Object.keys(limitedKeys).map((name) => [name, keys.get(name)])),
    'a temporary password': newcomer,
    nothing: undefined,
    'a forged token': bearer('e30.e30.e30'),
    'an unknown key': { 'x-api-key': `gw_${'a'.repeat(43)}` },
    'a revoked key': revoked,
  };
}

describe('every operation', () => {
  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'is guarded: %s',
    async (_, operation) => {
      const outcomes = await Promise.all(
        Object.entries(credentialsFor(operation)).map(
          async ([name, credential]) => [name, await guarded.knock(operation, credential)] as const,
        ),
      );
      expect(Object.fromEntries(outcomes)).toEqual(expected(operation));
    },
  );
});

describe('before a temporary password is changed', () => {
  it('only the change, the end of the session and the own user are open', () => {
    const open = operations.filter(({ beforePasswordChange }) => beforePasswordChange === true);
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'GET /auth/me',
      'POST /auth/change-password',
      'POST /auth/logout',
    ]);
  });
});
