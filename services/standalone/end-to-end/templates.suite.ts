import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { wav } from '@messaging-gateway/media/testing';
import {
  describeWithProgram,
  eventually,
  linkProfile,
  register,
  type LinkedProfile,
  type Tenant,
} from '@messaging-gateway/testing';
import type { World } from './world.ts';

const contact = '4915187654461';
/** A picture of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface Template {
  readonly id: string;
  readonly name: string;
  readonly content: Readonly<Record<string, string>>;
  readonly usageCount: number;
}
interface Sent {
  readonly data: { readonly messageId: string; readonly status: string };
}
interface Refusal {
  readonly code: string;
  readonly details: readonly { readonly path: string; readonly message: string }[];
}

let named = 0;

/** Requests of a tenant with a profile, in both modes. */
function clientOf(world: World, tenant: Tenant, { profileId }: LinkedProfile) {
  const make = async (messageType: string, content: object, given: object = {}): Promise<Template> => {
    const body = { name: `Template ${(named += 1)}`, messageType, content, ...given };
    const answer = await tenant.call<Template>('POST', '/templates', body);
    expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
    return answer.body;
  };
  const send = <Body = Sent>({ id: templateId }: { readonly id: string }, given: object = {}, headers = {}) =>
    tenant.call<Body>('POST', '/messages/template', { profileId, to: contact, templateId, ...given }, headers);
  const refusal = async (template: { readonly id: string }, given: object) => {
    const { status, body } = await send<{ error?: Refusal } & Refusal>(template, given);
    const { code, details } = body.error ?? body;
    return [status, code, ...(Array.isArray(details) ? details.map(({ path }: { path: string }) => path) : [])];
  };
  /** Sends it. @returns what the contact decrypts */
  const shown = async (template: Template, given: object = {}, status = 200) => {
    const before = (await world.network.messages(contact)).length;
    expect(await send(template, given)).toMatchObject({ status });
    return (await world.network.waitForMessages(contact, before + 1)).at(-1);
  };
  const used = async ({ id }: Template): Promise<number> =>
    (await tenant.call<Template>('GET', `/templates/${id}`)).body.usageCount;
  const usedUp = (template: Template, times: number) =>
    eventually(async () => ((await used(template)) >= times ? true : undefined));
  return { make, send, refusal, shown, used, usedUp };
}

/** Templates that are sent, awaited. */
export function templates(at: () => World): void {
  describe('a template that is sent', () => {
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    let client: ReturnType<typeof clientOf>;
    beforeAll(async () => {
      world = at();
      tenant = await register(world);
      profile = await linkProfile(world, tenant, '4915112345461');
      client = clientOf(world, tenant, profile);
    }, 600_000);

    it('is what the contact decrypts, with the values that were given', async () => {
      const text = await client.make('text', { text: 'Hello {{name|friend}}, {{order}} is on its way' });
      expect(await client.shown(text, { variables: { name: '{{order}}', order: '#7' } })).toMatchObject({
        text: 'Hello {{order}}, #7 is on its way',
      });
      expect(await client.shown(text, { variables: { order: '#8', more: 'x' } })).toMatchObject({
        text: 'Hello friend, #8 is on its way',
      });
      const poll = await client.make('poll', { question: '{{q}}?', options: ['{{a}}', 'No'] });
      expect(await client.shown(poll, { variables: { q: 'Now', a: 'Yes' } })).toMatchObject({
        content: { type: 'poll', question: 'Now?', options: ['Yes', 'No'] },
      });
      const card = await client.make('contact', { contacts: [{ name: '{{who}}', phone: '{{phone}}' }] });
      expect(await client.shown(card, { variables: { who: 'Ada', phone: '+49 151 87654394' } })).toMatchObject({
        content: { type: 'contact', contacts: [{ name: 'Ada', phone: '4915187654394' }] },
      });
      await client.usedUp(text, 2);
      expect([await client.used(text), await client.used(poll)]).toEqual([2, 1]);
    }, 600_000);

    it('brings its media, those that were given as base64 too', async () => {
      const image = await client.make('image', { base64: picture.toString('base64'), caption: 'For {{name}}' });
      expect(image.content['url']).toMatch(/^\/api\/v1\/media\/[^/]+\/templates\//);
      const { token } = tenant;
      const file = await fetch(world.gateway.host + image.content['url'], {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(Buffer.from(await file.arrayBuffer()).equals(picture)).toBe(true);
      const sha256 = createHash('sha256').update(picture).digest('hex');
      const wanted = { content: { type: 'image', caption: 'For Ada', media: { sha256 } } };
      expect(await client.shown(image, { variables: { name: 'Ada' } })).toMatchObject(wanted);
      const changed = await tenant.call<Template>('PUT', `/templates/${image.id}`, {
        content: { base64: picture.toString('base64'), caption: 'Again' },
      });
      expect(changed.body.content['url']).not.toBe(image.content['url']);
      expect(await client.shown(image)).toMatchObject({ content: { caption: 'Again', media: { sha256 } } });
    }, 600_000);

    describeWithProgram('ffmpeg', 'with a voice note', () => {
      it('has it converted as the send route does', async () => {
        const voice = await client.make('audio', { base64: wav(1).toString('base64'), ptt: true });
        expect(await client.shown(voice)).toMatchObject({ content: { type: 'audio', ptt: true } });
      }, 600_000);
    });

    it('is refused by the names of what is wrong, and then not counted', async () => {
      const text = await client.make('text', { text: '{{a}} {{b}} {{a}}' });
      expect(await client.refusal(text, { variables: { b: 'x' } })).toEqual([
        400,
        'VALIDATION_ERROR',
        'body.variables',
      ]);
      expect(await client.refusal(text, {})).toEqual([400, 'VALIDATION_ERROR', 'body.variables', 'body.variables']);
      const long = { a: 'x'.repeat(40_000), b: '' };
      expect(await client.refusal(text, { variables: long })).toEqual([400, 'VALIDATION_ERROR', 'body.variables']);
      const both = { a: 'x', b: 'y' };
      expect(await client.refusal(text, { variables: both, to: 'nobody' })).toEqual([
        400,
        'VALIDATION_ERROR',
        'body.to',
      ]);
      expect(await client.refusal({ id: randomUUID() }, {})).toEqual([404, 'NOT_FOUND']);
      expect(await client.refusal(text, { variables: both, profileId: randomUUID() })).toEqual([404, 'NOT_FOUND']);
      const card = await client.make('contact', { contacts: [{ name: 'A', phone: '{{phone}}' }] });
      expect(await client.refusal(card, { variables: { phone: 'none' } })).toEqual([
        400,
        'VALIDATION_ERROR',
        'body.variables',
      ]);
      const other = await tenant.call<{ id: string }>('POST', '/profiles', { name: 'Unlinked' });
      const unconnected = { variables: both, profileId: other.body.id };
      expect(await client.refusal(text, unconnected)).toEqual([409, 'PROFILE_NOT_CONNECTED']);
      const ofOther = await client.make('text', { text: 'x' }, { profileId: other.body.id });
      expect(await client.refusal(ofOther, {})).toEqual([404, 'NOT_FOUND']);
      const stranger = clientOf(world, await register(world), profile);
      expect(await stranger.refusal(text, { variables: both })).toEqual([404, 'NOT_FOUND']);
      expect(await client.shown(text, { variables: both })).toMatchObject({ text: 'x y x' });
      await client.usedUp(text, 1);
      expect(await client.used(text)).toBe(1);
    }, 600_000);

    it('goes out once under one Idempotency-Key, and is counted once', async () => {
      const text = await client.make('text', { text: 'Once' });
      const before = (await world.network.messages(contact)).length;
      const headers = { 'idempotency-key': randomUUID() };
      const all = await Promise.all([1, 2, 3].map(() => client.send(text, {}, headers)));
      const answered = all.filter(({ status }) => status === 200);
      const again = await client.send(text, {}, headers);
      expect(new Set([...answered, again].map(({ body }) => body.data.messageId)).size).toBe(1);
      await client.usedUp(text, 1);
      expect([await client.used(text), (await world.network.messages(contact)).length]).toEqual([1, before + 1]);
    }, 600_000);

    it('may be common to all profiles: a key of one sends it with its media, and does not change it', async () => {
      const image = await client.make('image', { base64: picture.toString('base64') });
      const scope = { name: 'one', permissions: ['message:send', 'template:update'], profileIds: [profile.profileId] };
      const { key } = (await tenant.call<{ key: string }>('POST', '/api-keys', scope)).body;
      const asKey = <Body>(method: string, path: string, body: object) =>
        world.gateway.call<Body>(method, path, body, { credential: key });
      const body = { profileId: profile.profileId, to: contact, templateId: image.id };
      expect(await asKey('POST', '/messages/template', body)).toMatchObject({ status: 200 });
      expect(await asKey('PUT', `/templates/${image.id}`, { category: 'utility' })).toMatchObject({ status: 403 });
    }, 600_000);

    it('is made of two that have the same name at the same moment once', async () => {
      const body = { name: 'The same', messageType: 'text', content: { text: 'x' } };
      const both = await Promise.all([1, 2].map(() => tenant.call('POST', '/templates', body)));
      expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]));
    });
  });
}

/** Templates that are sent durably, over the end of the process. */
export function durableTemplates(at: () => World): void {
  describe('a template in durable mode', () => {
    it('is queued, goes out and is counted once for each message, over a kill -9', async () => {
      const world = at();
      const tenant = await register(world);
      const profile = await linkProfile(world, tenant, '4915112345462', { messageDelayMs: 100 });
      const client = clientOf(world, tenant, profile);
      const template = await client.make('text', { text: 'Number {{n}}' });
      const before = (await world.network.messages(contact)).length;
      const numbers = Array.from({ length: 20 }, (_, n) => String(n));
      for (const n of numbers) expect(await client.send(template, { variables: { n } })).toMatchObject({ status: 202 });
      await world.gateway.kill();
      await world.restart();
      const shown = (await world.network.waitForMessages(contact, before + numbers.length)).slice(before);
      expect(shown.map(({ text }) => text)).toEqual(numbers.map((n) => `Number ${n}`));
      await client.usedUp(template, numbers.length);
      expect(await client.used(template)).toBe(numbers.length);
      expect((await tenant.call<Template>('GET', `/templates/${template.id}`)).body).toMatchObject({
        content: { text: 'Number {{n}}' },
      });
    }, 600_000);
  });
}
