import { describe, expect, it } from '@jest/globals';
import { eventually, linkProfile, register, startWebhookReceiver } from '@messaging-gateway/testing';
import { patient } from './insisting.ts';
import type { World } from './world.ts';

const secret = 'secret of the flow';
const people = Array.from({ length: 12 }, (_, number) => String(4_915_160_002_000 + number));
const say = (text: string) => ({ type: 'send', message: { type: 'text', text } });
/** Patience that ends only what is broken, milliseconds. */
const patienceMs = 600_000;

/** A kill -9 of the gateway after each step of a flow, with people at every step. */
export function flowCrashes(at: () => World): void {
  describe('a flow', () => {
    it('goes on after a kill -9 behind each of its steps: everybody decrypts each answer once', async () => {
      const world = at();
      const tenant = patient(await register(world));
      const receiver = await startWebhookReceiver(secret);
      const { phone, profileId } = await linkProfile(world, tenant, '4915112345473');
      const steps = [say('One'), { type: 'add_tag', value: 'seen' }, { type: 'delay', ms: 300 }];
      const further = [{ type: 'webhook', url: receiver.url }, say('Two'), { type: 'delay', ms: 300 }, say('Three')];
      const { body: flow } = await tenant.call<{ id: string }>('POST', '/automation', {
        profileId,
        name: 'Steps',
        trigger: { type: 'keyword', value: ['go'] },
        actions: [...steps, ...further],
        secret,
      });
      const decrypted = async (person: string): Promise<(string | undefined)[]> =>
        (await world.network.messages(person)).map(({ text }) => text);
      const having = async (text: string): Promise<number> =>
        (await Promise.all(people.map(decrypted))).filter((texts) => texts.includes(text)).length;
      const moments = [
        () => having('One'),
        async () => receiver.deliveries.length,
        () => having('Two'),
        () => having('Three'),
      ];
      const waiting = [...people];
      for (const [place, number] of moments.entries()) {
        for (const person of waiting.splice(0, 3))
          await world.network.sendFromContact(person, { to: phone, text: 'go' });
        await eventually(async () => ((await number()) > place ? true : undefined), patienceMs);
        await world.gateway.kill();
        await world.restart();
      }
      await eventually(async () => ((await having('Three')) === people.length ? true : undefined), patienceMs);
      const stats = await eventually(async () => {
        const { body } = await tenant.call<{ succeeded: number }>('GET', `/automation/${flow.id}/stats`);
        return body.succeeded === people.length ? body : undefined;
      }, patienceMs);
      expect(stats).toMatchObject({ triggered: people.length, failed: 0 });
      expect(await Promise.all(people.map(decrypted))).toEqual(people.map(() => ['One', 'Two', 'Three']));
      const asked = new Map(receiver.deliveries.map(({ headers, data }) => [headers['webhook-id'], data]));
      expect(asked.size).toBe(people.length);
      expect(receiver.deliveries.every(({ signatureValid }) => signatureValid)).toBe(true);
      const tagged = await tenant.call<{ total: number }>('GET', `/contacts?profileId=${profileId}&tags=seen`);
      expect(tagged.body.total).toBe(people.length);
      await receiver.stop();
    }, 900_000);
  });
}
