import { expect } from '@jest/globals';
import type { Tenant } from '@messaging-gateway/testing';
import type { World } from './world.ts';

export type Person = Omit<Tenant, 'accountId'>;
export const password = 'correct horse battery';

/** Registers somebody by name. */
export async function registered(world: World, email: string, name: string, organizationName: string): Promise<Person> {
  const body = { email, password, name, organizationName };
  const answer = await world.gateway.call<{ accessToken: string }>('POST', '/auth/register', body);
  expect(answer.status).toBe(201);
  const token = answer.body.accessToken;
  return { token, call: (method, path, given) => world.gateway.call(method, path, given, { credential: token }) };
}
