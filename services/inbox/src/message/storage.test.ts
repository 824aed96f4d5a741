import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MessageAccepted, MessageStatusChanged } from '@messaging-gateway/contracts';
import { catalogueCheck } from '@messaging-gateway/service/testing';
import { accepted, arrived, changesOf, edited, incoming, picture, status } from '../facts.fixture.ts';
import { InboxFixture, ada } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

describe('storage', () => {
  it('belongs to a service that serves what its contracts promise', () =>
    expect(catalogueCheck(fixture.service.definition)).toEqual([]));

  it('holds no text and no number in the journal in the clear', async () => {
    await fixture.arrive(arrived(fixture.profileId, '4915100007777', 'a very private text'));
    const rows = await fixture.service.sql.query('SELECT stream, data, metadata FROM events');
    expect(JSON.stringify(rows)).not.toMatch(/a very private text|4915100007777/);
    const once = await fixture.service.sql.query('SELECT key FROM once');
    expect(JSON.stringify(once)).not.toContain('4915100007777');
  });

  it('puts messages into the partition of their month', async () => {
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello'));
    await fixture.arrive(
      arrived(fixture.profileId, ada, 'Long ago', { delivery: 'history', sentAt: '2019-05-01T10:00:00.000Z' }),
    );
    const rows = await fixture.service.sql.query<{ part: string }>(
      'SELECT tableoid::regclass::text AS part FROM messages WHERE profile_id = $1 ORDER BY id',
      [fixture.profileId],
    );
    expect(rows.map(({ part }) => part)).toEqual([
      expect.stringMatching(/messages_rest$/),
      expect.stringMatching(/messages_20\d\d_\d\d$/),
    ]);
  });

  it('is made anew from the journal', async () => {
    const lid = '100000000000009@lid';
    await fixture.arrive(
      arrived(fixture.profileId, ada, 'by LID', { chat: { jid: lid, lid }, author: { jid: lid, lid } }),
    );
    const text = accepted(fixture.profileId, `${ada}@c.us`, 'Hello');
    await fixture.service.emit(MessageStatusChanged, status(text, 'delivered'), fixture.about());
    await fixture.service.emit(MessageAccepted, text, fixture.about());
    await fixture.service.emit(MessageStatusChanged, status(text, 'read'), fixture.about());
    const chat = { jid: `${ada}@c.us`, phone: ada, lid };
    await fixture.arrive(arrived(fixture.profileId, ada, 'by both', { chat, author: chat }));
    await fixture.arrive(arrived(fixture.profileId, '4915100000003', 'another', { delivery: 'history' }));
    for (const [target, change] of changesOf(text.networkMessageId)) await fixture.change(target, change);
    const photo = arrived(fixture.profileId, ada, '', { content: picture });
    await fixture.arrive(photo);
    await fixture.change(incoming(photo.networkMessageId), edited('Harbour at night'));
    const before = [await fixture.conversations(), await fixture.ofProfile()];
    expect(await fixture.service.rebuildViews()).toEqual([
      'conversation_aliases',
      'handovers',
      'chat_timers',
      'contacts',
      'messages',
      'message_places',
      'message_responses',
      'waiting_changes',
      'conversations',
      'group_names',
    ]);
    expect([await fixture.conversations(), await fixture.ofProfile()]).toEqual(before);
    await fixture.service.emit(MessageAccepted, accepted(fixture.profileId, `${ada}@c.us`, 'And on'), fixture.about());
    expect((await fixture.ofProfile()).items).toHaveLength(6);
  });

  it('is the same after a restart', async () => {
    await fixture.arrive(arrived(fixture.profileId, ada, 'Hello'));
    const before = await fixture.conversations();
    await fixture.service.restart();
    expect(await fixture.conversations()).toEqual(before);
  });
});
