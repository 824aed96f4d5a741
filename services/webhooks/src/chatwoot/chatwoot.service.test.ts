import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AcceptMessage,
  DescribePerson,
  EraseWebhooksData,
  GetIntegrationsStatus,
  IntegrationsChanged,
  ListIntegrations,
  mediaKey,
  mediaUrl,
  MessageDeleted,
  MessageEdited,
  MessageFailed,
  MessageReaction,
  MessageStatusChanged,
  ReadIntegrations,
  TakeChatwootEvent,
  TryChatwoot,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { sealedFor } from '@messaging-gateway/runtime';
import { testCaller, testEncryption, testService, type TestService } from '@messaging-gateway/service/testing';
import { startChatwoot, type FakeChatwoot } from '@messaging-gateway/testing';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import { usual as usualSettings } from '../testing/webhooks-service.ts';
import { webhooks } from '../service.ts';
import { chatWith } from './chatwoot.fixture.ts';

type Accepted = Static<(typeof AcceptMessage)['body']>;

let service: TestService;
let chatwoot: FakeChatwoot;
let caller = testCaller();
let profileId = '';
let version = 0;
let people = 0;
const settings = new Map<string, object>();
const accepted: Accepted[] = [];
const known = new Set<string>();
let refusal: Refused | undefined;
const token = 'a token of 256 bits, as it were';

beforeAll(async () => {
  chatwoot = await startChatwoot();
  service = await testService(webhooks, {
    settings: { ...usualSettings, allowPrivateTargets: true },
    others: async (fake) => {
      await fake(ListIntegrations, () => ({ organizationIds: [], next: null }));
      await fake(ReadIntegrations, ({ organizationId }) => ({
        version,
        settings: sealedFor(testEncryption, organizationId, { chatwoot: settings.get(organizationId) ?? {} }),
      }));
      await fake(DescribePerson, ({ jid }) => ({
        contactId: null,
        name: jid.endsWith('@g.us') ? 'Family' : `Person ${jid}`,
        pushName: null,
        phone: /^(\d+)@c\.us$/.exec(jid)?.[1] ?? null,
        lid: jid.endsWith('@lid') ? jid : null,
        tags: [],
        metadata: {},
        blocked: false,
      }));
      await fake(AcceptMessage, (asked) => {
        if (refusal !== undefined) throw refusal;
        if (!known.has(asked.messageId)) accepted.push(asked);
        known.add(asked.messageId);
        return { status: 'queued' as const, attempts: 0 };
      });
    },
  });
});
afterAll(async () => {
  await service.stop();
  await chatwoot.stop();
});

async function set(change: object = {}): Promise<void> {
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const usual = {
    url: chatwoot.url,
    apiToken: chatwoot.apiToken,
    accountId: 1,
    inboxId: '2',
    enabled: true,
    tokenHash,
  };
  settings.set(caller.organizationId, { ...usual, ...change });
  version += 1;
  await service.emit(IntegrationsChanged, { version }, { organizationId: caller.organizationId });
}

beforeEach(async () => {
  caller = testCaller();
  profileId = v7();
  accepted.length = 0;
  refusal = undefined;
  chatwoot.behave('normal');
  await set();
});

const about = () => ({ organizationId: caller.organizationId, profileId });
async function passUntil(holds: () => boolean | Promise<boolean>, stepMs = 500): Promise<void> {
  for (let steps = 0; !(await holds()); steps += 1) {
    if (steps > 20_000) throw new Error('It never came to that.');
    service.clock.advance(stepMs);
    await delay(5);
  }
}
const status = async () =>
  (
    (await service.call(GetIntegrationsStatus, { caller })).body as {
      chatwoot: { backlog: number; lastError: string | null; lastSuccessAt: string | null };
    }
  ).chatwoot;
const rested = () => passUntil(async () => (await status()).backlog === 0);

/** A chat with somebody new. */
const chat = (jid = `49151${String((people += 1)).padStart(8, '0')}@c.us`) =>
  chatWith({ service, chatwoot, about: about() }, jid);

const take = (event: object | string, given: { token?: string; headers?: Record<string, string> } = {}) => {
  const text = typeof event === 'string' ? event : JSON.stringify(event);
  const body = { text, headers: given.headers ?? {} };
  return service.call(TakeChatwootEvent, {
    params: { id: caller.organizationId },
    query: { token: given.token ?? token },
    body,
  });
};

describe('what is said in chats', () => {
  it('is posted in its order, to one contact and one conversation', async () => {
    const ada = chat();
    const first = await ada.receive('Hello');
    await ada.send('Welcome', v7(), { quotedMessageId: first });
    for (let count = 0; count < 30; count += 1) await ada.receive(`Word ${count}`);
    await rested();
    const contents = ada.seen().map(({ content, message_type }) => `${message_type} ${content}`);
    expect(contents).toEqual([
      'incoming Hello',
      'outgoing Welcome',
      ...Array.from({ length: 30 }, (_, at) => `incoming Word ${at}`),
    ]);
    expect(ada.seen()[1]).toMatchObject({ in_reply_to: ada.seen()[0]?.id });
    const contacts = chatwoot.contacts.filter(({ phone_number }) => phone_number === `+${ada.jid.split('@')[0]}`);
    expect(contacts).toHaveLength(1);
    expect(await status()).toMatchObject({ backlog: 0, lastError: null, lastSuccessAt: expect.any(String) });
  });

  it('goes along with media, changes and receipts', async () => {
    const ada = chat();
    const key = mediaKey({ organizationId: caller.organizationId, profileId }, v7());
    await service.media.put(key, Readable.from([Buffer.from('%PDF-1.4 a paper')]), { mimetype: 'application/pdf' });
    const media = { url: mediaUrl(key), mimetype: 'application/pdf', size: 16, filename: 'paper.pdf' };
    const paper = await ada.receive('', {
      type: 'document',
      hasMedia: true,
      media,
      content: { type: 'document', caption: 'Read this', media },
    });
    await service.emit(MessageReaction, { ...ada.change(paper), emoji: '👍' }, about());
    await service.emit(MessageEdited, { ...ada.change(paper), body: 'Read that' }, about());
    await service.emit(MessageDeleted, ada.change(paper), about());
    const ours = await ada.send('Thanks');
    const receipt = {
      ...ada.progress(ours),
      networkMessageId: 'x',
      status: 'read' as const,
      previousStatus: 'sent' as const,
    };
    await service.emit(MessageStatusChanged, receipt, about());
    await rested();
    expect(ada.seen()).toMatchObject([
      { content: 'Read this', message_type: 'incoming', files: [{ name: 'paper.pdf', bytes: 16 }], source_id: paper },
      { content: '👍', message_type: 'incoming' },
      { content: '✏️ Read that', message_type: 'incoming' },
      { content: 'This message was deleted for everyone.', private: true },
      { content: 'Thanks', message_type: 'outgoing', status: 'read' },
    ]);
    expect(
      new Set(
        ada
          .seen()
          .slice(1, 4)
          .map(({ in_reply_to }) => in_reply_to),
      ),
    ).toEqual(new Set([ada.seen()[0]?.id]));
  });

  it('is there once and in order after an hour of every fault', async () => {
    const [ada, grace] = [chat(), chat()];
    await ada.receive('Before');
    await rested();
    chatwoot.next('lost', 422, 500, 404, 'nonsense', 'lost', 429, 'lost', 503, 404);
    for (let count = 0; count < 10; count += 1) {
      await ada.receive(`Ada ${count}`);
      await grace.receive(`Grace ${count}`);
    }
    await passUntil(() => ada.seen().length + grace.seen().length > 3, 1000);
    chatwoot.behave(503);
    service.clock.advance(1_800_000);
    await ada.receive('Ada 10');
    await service.restart();
    service.clock.advance(1_800_000);
    expect((await status()).backlog).toBeGreaterThan(0);
    chatwoot.behave('normal');
    await rested();
    const texts = (one: typeof ada): string[] => one.seen().map(({ content }) => content);
    expect(texts(ada).filter((text) => text !== 'Before')).toEqual(Array.from({ length: 11 }, (_, at) => `Ada ${at}`));
    expect(texts(grace)).toEqual(Array.from({ length: 10 }, (_, at) => `Grace ${at}`));
    expect((await status()).lastError).not.toBeNull();
  });

  it('finds its contact and its conversation made anew when they were deleted', async () => {
    const ada = chat();
    await ada.receive('One');
    await rested();
    chatwoot.deleteConversation(ada.remote());
    await ada.receive('Two');
    await rested();
    expect(ada.seen().map(({ content }) => content)).toEqual(['Two']);
    chatwoot.deleteContact(chatwoot.conversations.find(({ id }) => id === ada.remote())?.contact ?? 0);
    await ada.receive('Three');
    await rested();
    expect(ada.seen().map(({ content }) => content)).toEqual(['Three']);
  });

  it('says who wrote in a group, and stays away from other profiles and what is off', async () => {
    const family = chat('120363041234567890@g.us');
    await family.receive('Hi', { author: '491@c.us', pushName: 'Ada' });
    await rested();
    expect(family.seen().map(({ content }) => content)).toEqual(['**Ada:** Hi']);
    await set({ profileIds: [v7()] });
    const ada = chat();
    await ada.receive('Nobody sees this');
    await set({ enabled: false });
    await ada.receive('Nor this');
    expect(await status()).toMatchObject({ backlog: 0 });
    expect(ada.seen()).toEqual([]);
  });
});

describe('what agents answer', () => {
  const begun = async () => {
    const ada = chat();
    const id = await ada.receive('Hello');
    await rested();
    return { ...ada, id, agent: (text: string, more: object = {}) => chatwoot.agentWrites(ada.remote(), text, more) };
  };
  const texts = () => accepted.map(({ content }) => content['text'] ?? content['caption'] ?? content['url']);

  it('goes out once through the lane, with quotes and files, and is not posted again', async () => {
    const ada = await begun();
    const event = ada.agent('Good day', { content_attributes: { in_reply_to: ada.seen()[0]?.id } });
    expect((await take(event)).status).toBe(200);
    const files = [
      { file_type: 'image', data_url: 'https://example.com/a.png' },
      { file_type: 'file', data_url: 'https://example.com/b%20c.pdf' },
    ];
    await take(ada.agent('Two files', { attachments: files }));
    await take(event);
    await passUntil(() => accepted.length === 3, 100);
    await take(event);
    expect(accepted).toMatchObject([
      { to: ada.jid, origin: 'api', type: 'text', content: { text: 'Good day', quotedMessageId: ada.id } },
      { type: 'image', content: { url: 'https://example.com/a.png', caption: 'Two files' } },
      { type: 'document', content: { url: 'https://example.com/b%20c.pdf', filename: 'b c.pdf' } },
    ]);
    await ada.send('Good day', accepted[0]?.messageId ?? '', { origin: 'api' });
    await rested();
    expect(accepted).toHaveLength(3);
    expect(ada.seen().map(({ content }) => content)).toEqual(['Hello']);
  });

  it('is dropped when it is none: notes, echoes, other kinds, other inboxes', async () => {
    const ada = await begun();
    const ours = await ada.send('From us');
    await rested();
    await take(ada.agent('A note', { private: true }));
    await take(ada.agent('An echo', { source_id: ours }));
    await take(ada.agent('Incoming', { message_type: 'incoming' }));
    await take(ada.agent('Updated', { event: 'message_updated' }));
    await take(ada.agent('Another inbox', { inbox: { id: 3 } }));
    await take(ada.agent('Another account', { account: { id: 9 } }));
    await take(chatwoot.agentWrites(999_999, 'Another conversation'));
    for (const nonsense of ['', 'no JSON', '[]', 'null', '{"event":"message_created"}'])
      expect((await take(nonsense)).status).toBe(200);
    service.clock.advance(10_000);
    await take(ada.agent('At last'));
    await passUntil(() => accepted.length > 0, 100);
    expect(texts()).toEqual(['At last']);
  });

  it('needs the token, and the signature where there is a secret', async () => {
    const ada = await begun();
    const refused = { code: 'UNAUTHORIZED' };
    await expect(take(ada.agent('x'), { token: 'wrong' })).rejects.toMatchObject(refused);
    await expect(take(ada.agent('x'), { token: '' })).rejects.toMatchObject(refused);
    await set({ webhookSecret: 'the secret' });
    const event = JSON.stringify(ada.agent('Signed'));
    const now = service.clock.now();
    await expect(take(event)).rejects.toMatchObject(refused);
    await expect(take(event, { headers: chatwoot.signed(event, 'another', now) })).rejects.toMatchObject(refused);
    await expect(take(event, { headers: chatwoot.signed(event, 'the secret', now - 301_000) })).rejects.toMatchObject(
      refused,
    );
    await expect(take(`${event} `, { headers: chatwoot.signed(event, 'the secret', now) })).rejects.toMatchObject(
      refused,
    );
    await take(event, { headers: chatwoot.signed(event, 'the secret', now) });
    await passUntil(() => accepted.length > 0, 100);
    expect(texts()).toEqual(['Signed']);
  });

  it('is told as a note when it does not go out', async () => {
    const ada = await begun();
    refusal = new Refused('VALIDATION_ERROR', 'The file is too large.');
    await take(ada.agent('Too much'));
    await passUntil(() => ada.seen().length === 2, 100);
    refusal = undefined;
    await take(ada.agent('To nobody'));
    await passUntil(() => accepted.length === 1, 100);
    const error = { code: 'RECIPIENT_UNKNOWN', message: 'The number is not on the network.' };
    await service.emit(MessageFailed, { ...ada.progress(accepted[0]?.messageId ?? ''), error }, about());
    await rested();
    expect(ada.seen().slice(1)).toMatchObject([
      { content: '⚠️ This message was not sent: The file is too large.', private: true },
      { content: '⚠️ This message was not sent: The number is not on the network.', private: true },
    ]);
  });
});

describe('the bridge', () => {
  it('is tried by asking for the inbox', async () => {
    const { organizationId } = caller;
    const tryOut = (change: object) =>
      service.ask(TryChatwoot, {
        organizationId,
        settings: sealedFor(testEncryption, organizationId, {
          chatwoot: { ...settings.get(organizationId), ...change },
        }),
      });
    expect(await tryOut({})).toEqual({ success: true, message: 'It answers.' });
    expect(await tryOut({ inboxId: 3 })).toEqual({ success: false, message: 'It answered 404.' });
    expect(await tryOut({ apiToken: 'wrong' })).toEqual({ success: false, message: 'It answered 401.' });
    expect(await tryOut({ url: 'http://169.254.169.254' })).toMatchObject({ success: false });
  });

  it('goes with its organization, in the middle of its work, and nothing of it lies in the clear', async () => {
    const ada = chat();
    chatwoot.behave('hanging');
    await ada.receive('A secret word');
    const rows =
      JSON.stringify(await service.sql.query('SELECT * FROM chatwoot_outbox')) +
      JSON.stringify(await service.sql.query('SELECT * FROM chatwoot_bridges'));
    expect(rows).not.toMatch(/A secret word|the token of an agent/);
    await service.ask(EraseWebhooksData, {
      organizationId: caller.organizationId,
      userId: v7(),
      wholeOrganization: true,
    });
    chatwoot.behave('normal');
    for (const table of [
      'chatwoot_bridges',
      'chatwoot_outbox',
      'chatwoot_lanes',
      'chatwoot_contacts',
      'chatwoot_messages',
      'chatwoot_answers',
    ])
      expect(
        await service.sql.query(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [caller.organizationId]),
      ).toEqual([]);
    await ada.receive('Later');
    expect((await status()).backlog).toBe(0);
  });
});
