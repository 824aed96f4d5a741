import { describe, expect, it } from '@jest/globals';
import { connected, eventually, linkProfile, register, startChatwoot } from '@messaging-gateway/testing';
import { patient } from './insisting.ts';
import type { World } from './world.ts';

const people = Array.from({ length: 6 }, (_, number) => String(4_915_160_004_000 + number));
/** Words of each person, and of the agent to each of them. */
const rounds = ['One', 'Two', 'Three'];
/** Patience that ends only what is broken, milliseconds. */
const patienceMs = 600_000;

/** A kill -9 of the gateway while a chat is posted to Chatwoot and while agents answer there. */
export function chatwootCrashes(at: () => World): void {
  describe('a bridge to Chatwoot', () => {
    it('posts each message once and in order, and everybody decrypts each answer once, over kills', async () => {
      const world = at();
      const chatwoot = await startChatwoot();
      const tenant = patient(await register(world));
      const { phone, profileId } = await linkProfile(world, tenant, '4915112345475');
      const { url, apiToken } = chatwoot;
      const config = { chatwoot: { url, apiToken, accountId: 1, inboxId: 2, enabled: true } };
      const { body } = await tenant.call<{ chatwoot: { webhookUrl: string } }>('PUT', '/integrations/config', config);
      const { pathname, search } = new URL(body.chatwoot.webhookUrl);
      /** As Chatwoot does, until it is taken; then once more. */
      const tell = async (event: object): Promise<void> => {
        const request = {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(event),
        };
        const once = async () => (await fetch(`${world.gateway.host}${pathname}${search}`, request)).status === 200;
        for (const _ of ['told', 'told again'])
          await eventually(async () => ((await once().catch(() => false)) ? true : undefined), patienceMs);
      };
      const posted = (person: string) => {
        const contact = chatwoot.contacts.find(({ phone_number }) => phone_number === `+${person}`)?.id;
        const conversations = chatwoot.conversations.filter((one) => one.contact === contact).map(({ id }) => id);
        return chatwoot.messages.filter(({ conversation }) => conversations.includes(conversation));
      };
      const having = (text: string): number =>
        people.filter((person) => posted(person).some(({ content }) => content === text)).length;
      const telling: Promise<void>[] = [];
      for (const [place, word] of rounds.entries()) {
        for (const person of people) await world.network.sendFromContact(person, { to: phone, text: word });
        // In the middle: some are posted, and agents have begun to answer to what was posted before.
        await eventually(async () => (having(word) > place ? true : undefined), patienceMs);
        const before = rounds[place - 1];
        if (before !== undefined)
          for (const person of people) {
            const conversation = posted(person)[0]?.conversation ?? 0;
            telling.push(tell(chatwoot.agentWrites(conversation, `Answer to ${before}`)));
          }
        // Taken, and not handed over yet.
        if (telling.length > 0) await Promise.race(telling);
        await world.gateway.kill();
        await world.restart();
        await connected(tenant, profileId);
        await eventually(async () => (having(word) === people.length ? true : undefined), patienceMs);
      }
      await Promise.all(telling);
      const answers = rounds.slice(0, -1).map((word) => `Answer to ${word}`);
      for (const person of people) {
        await world.network.waitForMessages(person, answers.length, patienceMs);
        expect((await world.network.messages(person)).map(({ text }) => text)).toEqual(answers);
        expect(posted(person).map(({ content }) => content)).toEqual(rounds);
      }
      await tenant.call('PUT', '/integrations/config', { chatwoot: { enabled: false } });
      await chatwoot.stop();
    }, 900_000);
  });
}
