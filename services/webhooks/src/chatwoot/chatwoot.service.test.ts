import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ContactUpdated,
  EraseWebhooksData,
  mediaKey,
  mediaUrl,
  MessageDeleted,
  MessageEdited,
  MessageFailed,
  MessageReaction,
  MessageRecovered,
  MessageStatusChanged,
  TryChatwoot,
  type DataOf,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { sealedFor } from '@messaging-gateway/runtime';
import { testEncryption } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { BridgeWorld } from './bridge-world.fixture.ts';

let world: BridgeWorld;
beforeAll(async () => {
  world = await BridgeWorld.start();
});
afterAll(() => world.stop());
beforeEach(() => world.begin());

describe('what is said in chats', () => {
  it('is posted in its order, to one contact and one conversation', async () => {
    const ada = world.chat();
    const first = await ada.receive('Hello');
    await ada.send('Welcome', v7(), { quotedMessageId: first });
    for (let count = 0; count < 30; count += 1) await ada.receive(`Word ${count}`);
    await world.rested();
    const contents = ada.seen().map(({ content, message_type }) => `${message_type} ${content}`);
    expect(contents).toEqual([
      'incoming Hello',
      'outgoing Welcome',
      ...Array.from({ length: 30 }, (_, at) => `incoming Word ${at}`),
    ]);
    expect(ada.seen()[1]).toMatchObject({ in_reply_to: ada.seen()[0]?.id });
    const contacts = world.chatwoot.contacts.filter(({ phone_number }) => phone_number === `+${ada.jid.split('@')[0]}`);
    expect(contacts).toHaveLength(1);
    expect(await world.status()).toMatchObject({ backlog: 0, lastError: null, lastSuccessAt: expect.any(String) });
  });

  it('stays with one contact when the person changes the number', async () => {
    const ada = world.chat();
    const previousPhone = ada.jid.split('@')[0] ?? '';
    const phone = `${previousPhone}9`;
    await ada.receive('Hello');
    await world.rested();
    const contact = { id: v7(), change: 'number', profileId: world.profileId, phone, previousPhone } as const;
    for (let time = 0; time < 2; time += 1) await world.service.emit(ContactUpdated, contact, world.about);
    await ada.receive('From my new number', { from: `${phone}@c.us` });
    await world.rested();
    const phones = world.chatwoot.contacts.map(({ phone_number }) => phone_number);
    expect(phones.filter((one) => one === `+${phone}`)).toHaveLength(1);
    expect(phones).not.toContain(`+${previousPhone}`);
    expect(ada.seen().map(({ content }) => content)).toEqual(['Hello', 'From my new number']);
  });

  it('goes along with media, changes and receipts', async () => {
    const ada = world.chat();
    const key = mediaKey({ organizationId: world.caller.organizationId, profileId: world.profileId }, v7());
    await world.service.media.put(key, Readable.from([Buffer.from('%PDF-1.4 a paper')]), {
      mimetype: 'application/pdf',
    });
    const media = { url: mediaUrl(key), mimetype: 'application/pdf', size: 16, filename: 'paper.pdf' };
    const paper = await ada.receive('', {
      type: 'document',
      hasMedia: true,
      media,
      content: { type: 'document', caption: 'Read this', media },
    });
    await world.service.emit(MessageReaction, { ...ada.change(paper), emoji: '👍' }, world.about);
    await world.service.emit(MessageEdited, { ...ada.change(paper), body: 'Read that' }, world.about);
    await world.service.emit(MessageDeleted, ada.change(paper), world.about);
    const ours = await ada.send('Thanks');
    const receipt = {
      ...ada.progress(ours),
      networkMessageId: 'x',
      status: 'read' as const,
      previousStatus: 'sent' as const,
    };
    await world.service.emit(MessageStatusChanged, receipt, world.about);
    await world.rested();
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
    const [ada, grace] = [world.chat(), world.chat()];
    await ada.receive('Before');
    await world.rested();
    world.chatwoot.next('lost', 422, 500, 404, 'nonsense', 'lost', 429, 'lost', 503, 404);
    for (let count = 0; count < 10; count += 1) {
      await ada.receive(`Ada ${count}`);
      await grace.receive(`Grace ${count}`);
    }
    await world.passUntil(() => ada.seen().length + grace.seen().length > 3, 1000);
    world.chatwoot.behave(503);
    world.service.clock.advance(1_800_000);
    await ada.receive('Ada 10');
    await world.service.restart();
    world.service.clock.advance(1_800_000);
    expect((await world.status()).backlog).toBeGreaterThan(0);
    world.chatwoot.behave('normal');
    await world.rested();
    const texts = (one: typeof ada): string[] => one.seen().map(({ content }) => content);
    expect(texts(ada).filter((text) => text !== 'Before')).toEqual(Array.from({ length: 11 }, (_, at) => `Ada ${at}`));
    expect(texts(grace)).toEqual(Array.from({ length: 10 }, (_, at) => `Grace ${at}`));
    expect((await world.status()).lastError).not.toBeNull();
  });

  it('posts the content of a message that came late as an answer to the message without it', async () => {
    const ada = world.chat();
    const content = { type: 'unsupported', kind: 'unavailable', reason: 'notDelivered' } as const;
    const id = await ada.receive('', { type: 'unsupported', content });
    await world.rested();
    const text = { type: 'text', text: 'I saw your ad' } as const;
    const example = MessageRecovered.example as DataOf<typeof MessageRecovered>;
    const recovered = {
      ...example,
      id,
      conversationId: ada.conversationId,
      from: ada.jid,
      body: text.text,
      content: text,
    };
    await world.service.emit(MessageRecovered, recovered, world.about);
    await world.rested();
    expect(ada.seen()).toMatchObject([
      { content: '(A message whose content has not arrived. Open it on the phone.)', message_type: 'incoming' },
      { content: 'I saw your ad', message_type: 'incoming', in_reply_to: ada.seen()[0]?.id },
    ]);
  });

  it('finds its contact and its conversation made anew when they were deleted', async () => {
    const ada = world.chat();
    await ada.receive('One');
    await world.rested();
    world.chatwoot.deleteConversation(ada.remote());
    await ada.receive('Two');
    await world.rested();
    expect(ada.seen().map(({ content }) => content)).toEqual(['Two']);
    world.chatwoot.deleteContact(world.chatwoot.conversations.find(({ id }) => id === ada.remote())?.contact ?? 0);
    await ada.receive('Three');
    await world.rested();
    expect(ada.seen().map(({ content }) => content)).toEqual(['Three']);
  });

  it('says who wrote in a group, and stays away from other profiles and what is off', async () => {
    const family = world.chat('120363041234567890@g.us');
    await family.receive('Hi', { author: '491@c.us', pushName: 'Ada' });
    await world.rested();
    expect(family.seen().map(({ content }) => content)).toEqual(['**Ada:** Hi']);
    await world.set({ profileIds: [v7()] });
    const ada = world.chat();
    await ada.receive('Nobody sees this');
    await world.set({ enabled: false });
    await ada.receive('Nor this');
    expect(await world.status()).toMatchObject({ backlog: 0 });
    expect(ada.seen()).toEqual([]);
  });
});

describe('what agents answer', () => {
  const begun = async () => {
    const ada = world.chat();
    const id = await ada.receive('Hello');
    await world.rested();
    return {
      ...ada,
      id,
      agent: (text: string, more: object = {}) => world.chatwoot.agentWrites(ada.remote(), text, more),
    };
  };

  it('goes out once through the lane, with quotes and files, and is not posted again', async () => {
    const ada = await begun();
    const event = ada.agent('Good day', { content_attributes: { in_reply_to: ada.seen()[0]?.id } });
    expect((await world.take(event)).status).toBe(200);
    const files = [
      { file_type: 'image', data_url: 'https://example.com/a.png' },
      { file_type: 'file', data_url: 'https://example.com/b%20c.pdf' },
    ];
    await world.take(ada.agent('Two files', { attachments: files }));
    await world.take(event);
    await world.passUntil(() => world.accepted.length === 3, 100);
    await world.take(event);
    expect(world.accepted).toMatchObject([
      { to: ada.jid, origin: 'api', type: 'text', content: { text: 'Good day', quotedMessageId: ada.id } },
      { type: 'image', content: { url: 'https://example.com/a.png', caption: 'Two files' } },
      { type: 'document', content: { url: 'https://example.com/b%20c.pdf', filename: 'b c.pdf' } },
    ]);
    await ada.send('Good day', world.accepted[0]?.messageId ?? '', { origin: 'api' });
    await world.rested();
    expect(world.accepted).toHaveLength(3);
    expect(ada.seen().map(({ content }) => content)).toEqual(['Hello']);
  });

  it('is dropped when it is none: notes, echoes, other kinds, other inboxes', async () => {
    const ada = await begun();
    const ours = await ada.send('From us');
    await world.rested();
    await world.take(ada.agent('A note', { private: true }));
    await world.take(ada.agent('An echo', { source_id: ours }));
    await world.take(ada.agent('Incoming', { message_type: 'incoming' }));
    await world.take(ada.agent('Updated', { event: 'message_updated' }));
    await world.take(ada.agent('Another inbox', { inbox: { id: 3 } }));
    await world.take(ada.agent('Another account', { account: { id: 9 } }));
    await world.take(world.chatwoot.agentWrites(999_999, 'Another conversation'));
    for (const nonsense of ['', 'no JSON', '[]', 'null', '{"event":"message_created"}'])
      expect((await world.take(nonsense)).status).toBe(200);
    world.service.clock.advance(10_000);
    await world.take(ada.agent('At last'));
    await world.passUntil(() => world.accepted.length > 0, 100);
    expect(world.texts).toEqual(['At last']);
  });

  it('is dropped when it is what is being posted, of which Chatwoot tells before it answers', async () => {
    const ada = await begun();
    world.chatwoot.behave('slow');
    const before = world.chatwoot.asked.length;
    const ours = await ada.send('From the phone');
    await world.passUntil(() => world.chatwoot.asked.length > before, 100);
    await world.take(ada.agent('From the phone', { source_id: ours }));
    world.chatwoot.release();
    await world.rested();
    await world.take(ada.agent('Of an agent'));
    await world.passUntil(() => world.accepted.length > 0, 100);
    expect(world.texts).toEqual(['Of an agent']);
    expect(ada.seen().map(({ content }) => content)).toEqual(['Hello', 'From the phone']);
  });

  it('needs the token, and the signature where there is a secret', async () => {
    const ada = await begun();
    const refused = { code: 'UNAUTHORIZED' };
    await expect(world.take(ada.agent('x'), { token: 'wrong' })).rejects.toMatchObject(refused);
    await expect(world.take(ada.agent('x'), { token: '' })).rejects.toMatchObject(refused);
    await world.set({ webhookSecret: 'the secret' });
    const event = JSON.stringify(ada.agent('Signed'));
    const now = world.service.clock.now();
    await expect(world.take(event)).rejects.toMatchObject(refused);
    await expect(world.take(event, { headers: world.chatwoot.signed(event, 'another', now) })).rejects.toMatchObject(
      refused,
    );
    await expect(
      world.take(event, { headers: world.chatwoot.signed(event, 'the secret', now - 301_000) }),
    ).rejects.toMatchObject(refused);
    await expect(
      world.take(`${event} `, { headers: world.chatwoot.signed(event, 'the secret', now) }),
    ).rejects.toMatchObject(refused);
    await world.take(event, { headers: world.chatwoot.signed(event, 'the secret', now) });
    await world.passUntil(() => world.accepted.length > 0, 100);
    expect(world.texts).toEqual(['Signed']);
  });

  it('is told as a note when it does not go out', async () => {
    const ada = await begun();
    world.refusal = new Refused('VALIDATION_ERROR', 'The file is too large.');
    await world.take(ada.agent('Too much'));
    await world.passUntil(() => ada.seen().length === 2, 100);
    world.refusal = undefined;
    await world.take(ada.agent('To nobody'));
    await world.passUntil(() => world.accepted.length === 1, 100);
    const error = { code: 'RECIPIENT_UNKNOWN', message: 'The number is not on the network.' };
    await world.service.emit(
      MessageFailed,
      { ...ada.progress(world.accepted[0]?.messageId ?? ''), error },
      world.about,
    );
    await world.rested();
    expect(ada.seen().slice(1)).toMatchObject([
      { content: '⚠️ This message was not sent: The file is too large.', private: true },
      { content: '⚠️ This message was not sent: The number is not on the network.', private: true },
    ]);
  });
});

describe('the bridge', () => {
  it('is tried by asking for the inbox', async () => {
    const { organizationId } = world.caller;
    const tryOut = (change: object) =>
      world.service.ask(TryChatwoot, {
        organizationId,
        settings: sealedFor(testEncryption, organizationId, {
          chatwoot: { ...world.settings.get(organizationId), ...change },
        }),
      });
    expect(await tryOut({})).toEqual({ success: true, message: 'It answers.' });
    expect(await tryOut({ inboxId: 3 })).toEqual({ success: false, message: 'It answered 404.' });
    expect(await tryOut({ apiToken: 'wrong' })).toEqual({ success: false, message: 'It answered 401.' });
    expect(await tryOut({ url: 'http://169.254.169.254' })).toMatchObject({ success: false });
  });

  it('goes with its organization, in the middle of its work, and nothing of it lies in the clear', async () => {
    const ada = world.chat();
    world.chatwoot.behave('hanging');
    await ada.receive('A secret word');
    const rows =
      JSON.stringify(await world.service.sql.query('SELECT * FROM chatwoot_outbox')) +
      JSON.stringify(await world.service.sql.query('SELECT * FROM chatwoot_bridges'));
    expect(rows).not.toMatch(/A secret word|the token of an agent/);
    await world.service.ask(EraseWebhooksData, {
      organizationId: world.caller.organizationId,
      userId: v7(),
      wholeOrganization: true,
    });
    world.chatwoot.behave('normal');
    for (const table of [
      'chatwoot_bridges',
      'chatwoot_outbox',
      'chatwoot_lanes',
      'chatwoot_contacts',
      'chatwoot_messages',
      'chatwoot_answers',
    ])
      expect(
        await world.service.sql.query(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [
          world.caller.organizationId,
        ]),
      ).toEqual([]);
    await ada.receive('Later');
    expect((await world.status()).backlog).toBe(0);
  });
});
