import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually, register } from '@messaging-gateway/testing';
import type { PlainWorld } from './world.ts';

interface Entry {
  readonly action: string;
  readonly actor: { readonly name: string | null };
  readonly requestId: string;
}

/** Whom the audit of a distributed installation names, and how often. */
export function auditSuite(world: () => PlainWorld): void {
  it('has one entry for each change, over the kill -9 of a replica that takes them in', async () => {
    const { api, installation } = world();
    const tenant = await register(api);
    const steps: [requestId: string, action: string][] = [];
    const does = async (action: string, method: string, path: string, body?: object): Promise<string> => {
      const requestId = randomUUID();
      const answer = await tenant.call<{ id: string }>(method, path, body, { 'x-request-id': requestId });
      expect(answer.status).toBeLessThan(300);
      steps.push([requestId, action]);
      return answer.body?.id ?? '';
    };
    const profile = await does('profile.create', 'POST', '/profiles', { name: 'P' });
    // Written by another service than the one that was asked.
    await does('profile.update', 'PUT', `/profiles/${profile}`, { messageDelayMs: 9 });
    for (let n = 0; n < 20; n += 1)
      await does('contact.create', 'POST', '/contacts', { phone: `491510000${1000 + n}` });
    await installation.kill('insights');
    for (let n = 0; n < 20; n += 1)
      await does('contact.create', 'POST', '/contacts', { phone: `491520000${1000 + n}` });
    await does('profile.delete', 'DELETE', `/profiles/${profile}`);
    const entries = async (): Promise<Entry[]> =>
      (await tenant.call<{ items: Entry[] }>('GET', '/audit/logs?limit=200')).body.items ?? [];
    await eventually(async () => ((await entries()).length > steps.length ? true : undefined));
    await installation.start('insights');
    const found = (await entries()).filter(({ action }) => action !== 'auth.register');
    const told = found.map(({ requestId, action }) => `${requestId} ${action}`);
    expect(told.toSorted()).toEqual(steps.map((step) => step.join(' ')).toSorted());
    expect(new Set(found.map(({ actor }) => actor.name)).size).toBe(1);
  }, 600_000);
}
