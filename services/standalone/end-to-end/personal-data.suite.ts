import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, findTexts, linkProfile, startAiProvider, startWebhookReceiver } from '@messaging-gateway/testing';
import type { FakeAiProvider, WebhookReceiver } from '@messaging-gateway/testing';
import type { Pool } from 'pg';
import { command, databaseOf, restoreInto } from './embedded.ts';
import { password, registered, type Person } from './person.ts';
import type { World } from './world.ts';

const phone = '4915112340001';
const contact = '4915187650002';
const minutes = 60_000;

/** Personal data that must be nowhere any more. Texts that occur in nothing else. */
const ada = {
  email: 'ada.lovelace@analytical.example',
  name: 'Ada Lovelace of Ockham',
  organization: 'Analytical Engines and Sons',
  said: 'the engine weaves algebraic patterns',
  heard: 'as the loom weaves flowers and leaves',
  planned: 'a note of the translator, later',
  known: 'Charles the Neighbour',
  flow: 'Answers of the translator',
  answered: 'the mill of the engine rests on Sundays',
  taught: 'Bernoulli numbers are reckoned by the hour',
};

const member = {
  email: 'mary.somerville@connexion.example',
  name: 'Mary Somerville of Jedburgh',
  browser: 'Connexion-of-the-Sciences/1834',
  key: 'key of the mechanism of the heavens',
};

/** An export and an erasure of everything that is held about somebody, over kills and a restore. */
export function personalData(at: () => World): void {
  describe('personal data', () => {
    let world: World;
    let receiver: WebhookReceiver;
    let provider: FakeAiProvider;
    let database: Pool;
    let person: Person;
    let adaId = '';
    let profileId = '';
    /** Erasures that the installation had logged before. */
    let loggedBefore = 0;

    beforeAll(async () => {
      world = at();
      loggedBefore = erasuresLogged();
      receiver = await startWebhookReceiver('a secret');
      provider = await startAiProvider();
      database = databaseOf(data());
      person = await registered(world, ada.email, ada.name, ada.organization);
      adaId = (await person.call<{ id: string }>('GET', '/auth/me')).body.id;
      await leaveTraces();
    }, 900_000);

    afterAll(async () => {
      await database.end();
      await receiver.stop();
      await provider.stop();
    });

    async function leaveTraces(): Promise<void> {
      await person.call('POST', '/webhooks', { url: receiver.url, secret: 'a secret', events: ['*'] });
      const accountId = await eventually(
        async () => (await person.call<{ items: { id: string }[] }>('GET', '/accounts')).body.items[0]?.id,
      );
      const tenant = { ...person, accountId };
      ({ profileId } = await linkProfile(world, tenant, phone));
      await person.call('POST', '/contacts', { phone: contact, name: ada.known, profileId });
      await person.call('PUT', '/settings/ai', {
        baseUrl: provider.baseUrl,
        model: 'small',
        embeddingModel: 'meaning',
      });
      await person.call('POST', '/automation', {
        profileId,
        name: ada.flow,
        trigger: { type: 'keyword', value: ['loom'] },
        actions: [{ type: 'send', message: { type: 'text', text: ada.answered } }],
      });
      await person.call('POST', `/ai/knowledge/${profileId}/text`, { name: 'Numbers', content: ada.taught });
      await indexed();
      await person.call('POST', '/messages/text', { profileId, to: contact, text: ada.said });
      await world.network.waitForMessages(contact, 1);
      await world.network.sendFromContact(contact, { to: phone, text: ada.heard });
      await receiver.waitFor(({ event }) => event === 'message.received');
      await receiver.waitFor(({ event }) => event === 'automation.executed');
      await eventually(async () => {
        const { body } = await person.call<{ items: object[] }>('GET', `/messages/profile/${profileId}`);
        return body.items.length === 3 ? true : undefined;
      });
      await eventually(async () => {
        const { body } = await person.call<{ items: { action: string }[] }>('GET', '/audit/logs');
        return body.items.some(({ action }) => action === 'profile.create') ? true : undefined;
      });
      const scheduledAt = new Date(world.now() + 60 * minutes).toISOString();
      const planned = { profileId, to: contact, type: 'text', content: { text: ada.planned }, scheduledAt };
      expect((await person.call('POST', '/messages/schedule', planned)).status).toBe(201);
      expect(
        await world.gateway.call('POST', '/auth/login', { email: ada.email, password: 'a wrong one, guessed' }),
      ).toMatchObject({
        status: 401,
      });
    }

    it('are indexed as knowledge through a kill -9 in the middle: no chunk is lost, and none is made again', async () => {
      const before = provider.asked.length;
      provider.next('normal', 'slow');
      const paragraphs = Array.from({ length: 130 }, (_, place) => `Chapter ${place}. ${'wheels '.repeat(100)}`);
      const added = await person.call<{ chunkCount: number; status: string }>(
        'POST',
        `/ai/knowledge/${profileId}/text`,
        {
          name: 'Chapters',
          content: paragraphs.join('\n\n'),
        },
      );
      expect(added.body).toMatchObject({ chunkCount: 130, status: 'indexing' });
      await provider.waitForAsked(before + 2);
      await world.gateway.kill();
      provider.release();
      await world.restart();
      // What the dead process had taken is free after a while.
      world.moveClock(2 * minutes);
      await indexed();
      const asked = provider.asked.slice(before).map(({ body }) => [body.input ?? []].flat());
      expect(asked.map((texts) => texts.length)).toEqual([64, 64, 64, 2]);
      const [first = [], lost = [], again = [], last = []] = asked;
      expect(again).toEqual(lost);
      expect(new Set([...first, ...again, ...last]).size).toBe(130);
      const found = await person.call<{ items: { content: string }[] }>('POST', `/ai/knowledge/${profileId}/search`, {
        query: 'Chapter 129',
      });
      expect(found.body.items[0]?.content).toMatch(/^Chapter 129/);
    }, 900_000);

    it('are exported: one document of all that is held, without secrets', async () => {
      const answer = await fetch(`${world.gateway.host}/api/v1/account/export`, {
        headers: { Authorization: `Bearer ${person.token}` },
      });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      const text = await answer.text();
      const { sections } = JSON.parse(text) as { sections: Record<string, Record<string, unknown>[]> };
      expect(sections['user']).toMatchObject([{ email: ada.email, name: ada.name }]);
      expect(sections['organization']).toMatchObject([{ name: ada.organization }]);
      expect(sections['profiles']).toMatchObject([{ id: profileId, phoneNumber: phone }]);
      expect(sections['contacts']).toEqual([expect.objectContaining({ phone: contact, name: ada.known })]);
      expect(sections['messages']?.map(({ content }) => (content as { text: string }).text).toSorted()).toEqual(
        [ada.said, ada.heard, ada.answered].toSorted(),
      );
      expect(sections['scheduledMessages']).toMatchObject([{ content: { content: { text: ada.planned } } }]);
      expect(sections['flows']).toMatchObject([{ name: ada.flow }]);
      expect(sections['knowledge']).toMatchObject([{ name: 'Numbers' }, { name: 'Chapters' }]);
      expect(sections['webhooks']).toMatchObject([{ url: receiver.url }]);
      expect(sections['audit']?.map(({ action }) => action)).toContain('profile.create');
      expect(text).not.toContain('a secret');
      expect(text).not.toContain('$argon2');
    }, 600_000);

    it('are refused for a cursor that no page gave', async () => {
      for (const place of [
        [-5, '', ''],
        [99, '', ''],
        ['user', '', ''],
      ]) {
        const cursor = Buffer.from(JSON.stringify(place)).toString('base64url');
        const answer = await person.call<{ error: object }>('GET', `/account/export?cursor=${cursor}`);
        expect([answer.status, answer.body.error]).toEqual([
          400,
          expect.objectContaining({ details: [{ path: 'query.cursor', message: expect.any(String) }] }),
        ]);
      }
    }, 600_000);

    it('of another organization are not in it', async () => {
      const other = await registered(world, 'somebody@else.example', 'Somebody Else', 'Else');
      const answer = await other.call<{ sections: Record<string, unknown[]> }>('GET', '/account/export');
      expect(Object.keys(answer.body.sections)).not.toContain('messages');
      expect(JSON.stringify(answer.body)).not.toContain(ada.name);
    }, 600_000);

    it('stay with a wrong password, and without one the field is named', async () => {
      expect((await person.call('DELETE', '/account/delete', { password: 'another horse battery' })).status).toBe(403);
      const refused = await person.call<{ error: object }>('DELETE', '/account/delete', {});
      expect(refused.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'body.password' }] });
      expect((await person.call('GET', '/auth/me')).status).toBe(200);
    }, 600_000);

    it('are erased in every table and journal, through a kill -9 right after the answer', async () => {
      // Until it is sent, what was planned lies in the journal only, where nothing is in the clear.
      const before = traces().filter((text) => text !== ada.planned);
      const places = await findTexts(database, traces());
      expect([...new Set(places.map(({ text }) => text))].toSorted()).toEqual(before.toSorted());
      await command('backup', { DATA_DIR: data() }, backup());
      const answer = await person.call('DELETE', '/account/delete', { password });
      await world.gateway.kill();
      expect([answer.status, answer.body]).toEqual([202, { status: 'erasing' }]);
      await world.restart();
      await database.end();
      database = databaseOf(data());
      expect((await person.call('GET', '/account/export')).status).toBe(401);
      expect((await world.gateway.call('POST', '/auth/login', { email: ada.email, password })).status).toBe(401);
      await erasureOf(adaId, 'times >= 1');
      // Facts that were on their way are erased by the second time.
      world.moveClock(5 * minutes);
      await erasureOf(adaId, 'times >= 2');
      expect(await findTexts(database, traces())).toEqual([]);
      expect(readdirSync(world.sessionsDirectory, { recursive: true }).map(String)).not.toContain(profileId);
      const { rows } = await database.query('SELECT 1 FROM identity.users WHERE name = $1', ['Somebody Else']);
      expect(rows).toHaveLength(1);
    }, 900_000);

    it.each(['who leaves', 'whom others remove'])(
      'of a member %s are erased, and the organization stays',
      async (way) => {
        const address = `owner-of-those-${way.replaceAll(' ', '-')}@engines.example`;
        const owner = await registered(world, address, 'The Owner', 'Engines');
        expect((await owner.call('DELETE', '/account/delete', { password: 'a wrong password' })).status).toBe(403);
        const invited = await owner.call<{ id: string; temporaryPassword: string }>('POST', '/organizations/members', {
          email: member.email,
          name: member.name,
          role: 'Admin',
        });
        const headers = { 'User-Agent': member.browser };
        const logIn = async (given: string): Promise<string> => {
          const body = { email: member.email, password: given };
          const answer = await world.gateway.call<{ accessToken: string }>('POST', '/auth/login', body, { headers });
          return answer.body.accessToken;
        };
        const first = await logIn(invited.body.temporaryPassword);
        const changed = { currentPassword: invited.body.temporaryPassword, newPassword: password };
        await world.gateway.call('POST', '/auth/change-password', changed, { credential: first, headers });
        const credential = await logIn(password);
        await world.gateway.call('POST', '/api-keys', { name: member.key }, { credential, headers });
        await world.gateway.call('POST', '/profiles', { name: 'Of the organization' }, { credential, headers });
        expect((await owner.call('DELETE', '/auth/account', { password })).status).toBe(409);
        const gone =
          way === 'who leaves'
            ? await world.gateway.call('DELETE', '/auth/account', { password }, { credential, headers })
            : await owner.call('DELETE', `/organizations/members/${invited.body.id}`);
        expect(gone.status).toBe(204);
        expect((await world.gateway.call('GET', '/auth/me', undefined, { credential })).status).toBe(401);
        await erasureOf(invited.body.id, 'times > 0');
        world.moveClock(10 * minutes);
        await erasureOf(invited.body.id, 'due_at IS NULL');
        expect(await findTexts(database, Object.values(member))).toEqual([]);
        const profiles = await owner.call<{ items: { name: string }[] }>('GET', '/profiles');
        expect(profiles.body.items.map(({ name }) => name)).toEqual(['Of the organization']);
        const members = await owner.call<{ items: { email: string }[] }>('GET', '/organizations/members');
        expect(members.body.items.map(({ email }) => email)).toEqual([address]);
      },
      900_000,
    );

    it('are no obstacle: the address can register again', async () => {
      await registered(world, ada.email, ada.name, ada.organization);
    }, 600_000);

    it('do not come back with a backup from before', async () => {
      await database.end();
      await world.gateway.stop();
      const moved = join(world.directory, 'moved-without-persons');
      const said = await restoreInto(moved, data(), backup());
      expect(said).toContain(`${loggedBefore + 3} erasures are logged; 1 of them`);
      await world.restart({ DATA_DIR: moved, SESSIONS_DIR: world.sessionsDirectory });
      database = databaseOf(moved);
      const unknown = await world.gateway.call('POST', '/auth/login', { email: ada.email, password });
      expect(unknown.status).toBe(401);
      await erasureOf(adaId, 'times >= 1');
      expect(await findTexts(database, traces())).toEqual([]);
      await registered(world, ada.email, ada.name, ada.organization);
    }, 900_000);

    const data = (): string => world.dataDirectory;
    const backup = (): string => join(world.directory, 'personal.backup');
    const erasuresLogged = (): number => {
      const file = join(data(), 'erasures.jsonl');
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
    };
    const traces = (): string[] => [...Object.values(ada), phone, contact];

    /** Resolves when all that the profile knows has vectors. */
    async function indexed(): Promise<void> {
      await eventually(async () => {
        const { status: code, body } = await person.call<{ items: { status: string }[] }>(
          'GET',
          `/ai/knowledge/${profileId}`,
        );
        // A request that was on its way when the clock was moved is late.
        return code === 200 && body.items.length > 0 && body.items.every(({ status }) => status === 'ready')
          ? true
          : undefined;
      });
    }

    /** Waits until the erasure of a user has got as far as a condition on its row says. */
    async function erasureOf(userId: string, condition: string): Promise<void> {
      const row = `SELECT 1 FROM identity.user_erasures WHERE user_id = $1 AND ${condition}`;
      await eventually(async () => ((await database.query(row, [userId])).rows.length > 0 ? true : undefined));
    }
  });
}
