import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentsTest, type ContentsTest } from '../../testing/contents-test.ts';
import { until } from '../../testing/engine-harness.ts';
import type { Fact } from '../engine.ts';

type Marked = Extract<Fact, { kind: 'chat-marked' }>;
type NumberChanged = Extract<Fact, { kind: 'number-changed' }>;

describe('the engine on the simulated network', () => {
  let test: ContentsTest;
  const [phone, contact, moved] = ['4915120000770', '4915100000770', '4915100000771'];
  let own: { lid: string };
  let theirs: { lid: string };
  beforeAll(async () => {
    test = await contentsTest(phone, contact);
    [own, theirs] = [await test.simulator.phone(phone), await test.simulator.phone(contact)];
  });
  afterAll(() => test.stop());

  /** The next fact of a kind that comes of something. */
  async function factOf<Kind extends Fact['kind']>(kind: Kind, work: () => Promise<unknown>) {
    const from = test.profile.facts.length;
    await work();
    return until(() =>
      test.profile.facts.slice(from).find((fact): fact is Extract<Fact, { kind: Kind }> => fact.kind === kind),
    );
  }
  const marked = (work: () => Promise<unknown>): Promise<Marked> => factOf('chat-marked', work);
  const stanza = (tag: string, attrs: Record<string, string>, content?: object[]): Promise<void> =>
    test.simulator.deliverStanza(phone, { node: { tag, attrs, ...(content && { content: content as never }) } });
  const t = '1790000000';

  it.each(['read', 'read-self'])('takes what the owner read on the phone (%s)', async (type) => {
    const [first, second] = [
      await test.received({ type: 'text', text: 'one' }),
      await test.received({ type: 'text', text: 'two' }),
    ].map(({ data }) => data.networkMessageId);
    const attrs = { id: first ?? '', from: `${own.lid}@lid`, recipient: `${theirs.lid}@lid`, type, t };
    const list = [{ tag: 'list', content: [{ tag: 'item', attrs: { id: second ?? '' } }] }];
    const { data } = await marked(() => stanza('receipt', attrs, list));
    expect(data).toEqual({
      profileId: test.profile.profileId,
      chat: { jid: `${contact}@c.us`, phone: contact, lid: `${theirs.lid}@lid` },
      mark: 'read',
      networkMessageIds: [first, second],
      at: new Date(Number(t) * 1000).toISOString(),
    });
  });

  it('takes what the owner read in a group', async () => {
    const group = '120363000000000770@g.us';
    const attrs = { id: '3EB0AA', from: group, participant: `${own.lid}@lid`, type: 'read', t };
    const { data } = await marked(() => stanza('receipt', attrs));
    expect(data).toMatchObject({ chat: { jid: group }, mark: 'read', networkMessageIds: ['3EB0AA'] });
  });

  it('takes no delivery receipt of another device of the owner for anything', async () => {
    const from = test.profile.facts.length;
    await stanza('receipt', {
      id: '3EB0AB',
      from: `${own.lid}@lid`,
      recipient: `${theirs.lid}@lid`,
      type: 'sender',
      t,
    });
    await test.received({ type: 'text', text: 'after it' });
    expect(test.profile.facts.slice(from).map(({ kind }) => kind)).toEqual(['message']);
  });

  it('takes the marks of chats in the state of the account, each once, and none of a message that arrives', async () => {
    const mark = (given: Parameters<typeof test.simulator.markChat>[1]) => () => test.simulator.markChat(phone, given);
    const from = test.profile.facts.length;
    const end = Date.UTC(2099, 0, 1);
    await marked(mark({ chat: contact, read: false }));
    await marked(mark({ chat: contact, read: true }));
    await marked(mark({ chat: contact, archived: true }));
    await marked(mark({ chat: contact, pinned: true }));
    await marked(mark({ chat: contact, pinned: false }));
    await marked(mark({ chat: contact, mutedUntil: end }));
    await marked(mark({ chat: contact, mutedUntil: 0 }));
    await test.received({ type: 'text', text: 'and a message' });
    await test.sent({ type: 'text', content: { text: 'and an answer' } });
    const marks = test.profile.facts.slice(from).flatMap((fact) => (fact.kind === 'chat-marked' ? [fact.data] : []));
    expect(marks.map((one) => one.mark)).toEqual([
      'unread',
      'read',
      'archived',
      'pinned',
      'unpinned',
      'muted',
      'unmuted',
    ]);
    expect(marks[5]?.until).toBe(new Date(end).toISOString());
    expect(marks[0]?.chat).toMatchObject({ phone: contact, lid: `${theirs.lid}@lid` });
  });

  it('takes the announcement that a contact has another number', async () => {
    await test.received({ type: 'text', text: 'before' });
    const attrs = { id: 'N1', from: `${contact}@s.whatsapp.net`, type: 'contacts', t };
    const change = { old: `${contact}@s.whatsapp.net`, new: `${moved}@s.whatsapp.net` };
    const { data }: NumberChanged = await factOf('number-changed', () =>
      stanza('notification', attrs, [{ tag: 'modify', attrs: change }]),
    );
    const expected = { previousPhone: contact, phone: moved, lid: `${theirs.lid}@lid` };
    expect(data).toMatchObject({ profileId: test.profile.profileId, ...expected });
    // The LID leads to the new number from now on.
    const { data: read } = await marked(() =>
      stanza('receipt', { id: '3EB0AC', from: `${own.lid}@lid`, recipient: `${theirs.lid}@lid`, type: 'read', t }),
    );
    expect(read.chat).toEqual({ jid: `${moved}@c.us`, phone: moved, lid: `${theirs.lid}@lid` });
  });

  it('takes the announcement in a group that a member has another number', async () => {
    const [before, after] = ['4915100000780', '4915100000781'];
    const attrs = {
      id: 'N2',
      from: '120363000000000770@g.us',
      participant: `${after}@s.whatsapp.net`,
      type: 'w:gp2',
      t,
    };
    const member = { tag: 'participant', attrs: { jid: `${before}@s.whatsapp.net` } };
    const { data } = await factOf('number-changed', () =>
      stanza('notification', attrs, [{ tag: 'modify', content: [member] }]),
    );
    expect(data).toMatchObject({ previousPhone: before, phone: after });
  });
});
