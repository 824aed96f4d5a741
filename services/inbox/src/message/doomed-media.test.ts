import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ClearConversation,
  DeleteConversation,
  DeleteMessage,
  MessageStatusChanged,
  MessageAccepted,
  ProfileDeleted,
  conversationIdOf,
  mediaKey,
  namedUuids,
} from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { accepted, arrived, incoming, revoked, status } from '../facts.fixture.ts';
import { InboxFixture, ada } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

const stored = async (key: string): Promise<string> => {
  await fixture.service.media.put(key, Readable.from([Buffer.from('bytes')]));
  return key;
};
const isThere = async (key: string): Promise<boolean> => (await fixture.service.media.facts(key)) !== undefined;
const goes = async (key: string): Promise<void> => {
  for (let tries = 0; (await isThere(key)) && tries < 6000; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await isThere(key)).toBe(false);
};
const keyHere = () => mediaKey(fixture.about(), v7());
const content = (key: string) =>
  ({ type: 'image', content: { caption: 'Harbour', media: { key, mimetype: 'image/png', size: 5 } } }) as const;
/** A message with media comes in. @returns their key, and the ids of the message */
const come = async (differences: Partial<Parameters<typeof arrived>[3]> = {}) => {
  const key = await stored(keyHere());
  const message = arrived(fixture.profileId, ada, '', { ...differences, content: content(key) });
  await fixture.arrive(message);
  const { networkMessageId } = message;
  const { items } = await fixture.ofProfile();
  const { id = '' } = items.find((one) => one.networkMessageId === networkMessageId) ?? {};
  return { key, id, networkMessageId };
};
const remove = (id: string) => fixture.service.call(DeleteMessage, { caller: fixture.caller, params: { id } });
const conversation = (contract: typeof ClearConversation) =>
  fixture.service.call(contract, {
    caller: fixture.caller,
    params: { id: conversationIdOf(fixture.profileId, `${ada}@c.us`) },
  });

describe('media go from the store', () => {
  it('with the message that is deleted here; others stay', async () => {
    const [one, other] = [await come(), await come()];
    await remove(one.id);
    await goes(one.key);
    expect(await isThere(other.key)).toBe(true);
  });

  it('with the message that its author deletes for everyone', async () => {
    const { key, networkMessageId } = await come();
    await fixture.change(incoming(networkMessageId), revoked);
    await goes(key);
  });

  it('with a better form of them, at the next hourly run', async () => {
    const { key, networkMessageId } = await come();
    const better = await stored(keyHere());
    const sharp = { content: content(better), replacesMediaOf: incoming(networkMessageId) };
    await fixture.arrive(arrived(fixture.profileId, ada, '', sharp));
    expect(await isThere(key)).toBe(true);
    const other = await come();
    await remove(other.id); // wakes the job
    await goes(key);
    expect(await isThere(better)).toBe(true);
  });

  it.each([
    ['cleared', ClearConversation],
    ['deleted', DeleteConversation],
  ])('with the conversation that is %s', async (_, contract) => {
    const all = [await come(), await come(), await come()];
    fixture.service.clock.advance(5);
    await conversation(contract);
    for (const { key } of all) await goes(key);
  });

  it('with the profile, as do those that nobody told of', async () => {
    const { key } = await come();
    const untold = await stored(keyHere());
    const elsewhere = await stored(mediaKey({ ...fixture.about(), profileId: v7() }, v7()));
    await fixture.service.emit(ProfileDeleted, { profileId: fixture.profileId }, fixture.about());
    expect([await isThere(key), await isThere(untold), await isThere(elsewhere)]).toEqual([false, false, true]);
    await fixture.service.emit(ProfileDeleted, { profileId: fixture.profileId }, fixture.about());
  });

  const send = async (keyOf: (messageId: string) => string) => {
    const message = accepted(fixture.profileId, ada, '');
    const key = await stored(keyOf(message.messageId));
    const sent = { type: 'image', content: {}, media: { key } } as const;
    await fixture.service.emit(MessageAccepted, { ...message, type: 'image', content: sent }, fixture.about());
    return { key, message };
  };
  const organizationId = () => fixture.caller.organizationId;
  const ofBody = (id: string) => mediaKey({ organizationId: organizationId() }, namedUuids(id)('body.base64'));

  it('with a message that was sent with base64, and not while it is still to be sent', async () => {
    const { key, message } = await send(ofBody);
    await fixture.service.emit(MessageStatusChanged, status(message, 'delivered'), fixture.about());
    const waiting = await send(ofBody);
    await remove(waiting.message.messageId);
    await remove(message.messageId);
    await goes(key);
    expect(await isThere(waiting.key)).toBe(true);
  });

  it('not with a message that was sent with an upload, as others may use it', async () => {
    const { key, message } = await send(() => mediaKey({ organizationId: organizationId() }, v7()));
    await fixture.service.emit(MessageStatusChanged, status(message, 'delivered'), fixture.about());
    const { id, key: other } = await come();
    await remove(message.messageId);
    await remove(id);
    await goes(other);
    expect(await isThere(key)).toBe(true);
  });

  it('after a restart, when the process was killed right after the message had gone', async () => {
    const { key, id } = await come();
    const doomed = `INSERT INTO doomed_media VALUES ($1, $2, $3)`;
    const now = new Date(fixture.service.clock.now());
    // Deleted by a process whose store is away: the note stays.
    await fixture.service.sql.query(`UPDATE messages SET content = '{}', removed = true WHERE id = $1`, [id]);
    await fixture.service.sql.query(doomed, [key, id, now]);
    const kept = await come();
    await fixture.service.sql.query(doomed, [kept.key, kept.id, now]);
    await fixture.service.restart();
    await goes(key);
    // Noted by a process that was killed before it deleted the message.
    fixture.service.clock.advance(700_000);
    await fixture.service.restart();
    const left = () => fixture.service.sql.query('SELECT key FROM doomed_media WHERE key = $1', [kept.key]);
    for (let tries = 0; (await left()).length > 0 && tries < 6000; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await left()).toEqual([]);
    expect(await isThere(kept.key)).toBe(true);
  });
});
