import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proto, type BinaryNode } from '@whiskeysockets/baileys';
import type { SessionData, SessionDataStore } from '../../../session-data/session-data-store.ts';
import { openStore, sessionsFolder } from '../../../testing/engine-harness.ts';
import type { Fact } from '../../engine.ts';
import { SignalState } from '../signal/signal-state.ts';
import { EarlyChanges } from './early-changes.ts';
import { Inbound } from './inbound.ts';
import { LateContent } from './late-content.ts';

/** Fields of the network's `Message`, with their types, from the client library's schema. */
function fieldsOfMessage(): ReadonlyMap<string, string> {
  const path = fileURLToPath(import.meta.resolve('@whiskeysockets/baileys/WAProto/WAProto.proto'));
  const schema = readFileSync(path, 'utf8');
  const [, body = ''] = /^message Message \{\n([\s\S]*?)^\}/m.exec(schema) ?? [];
  return new Map(
    [...body.matchAll(/^ {4}(?:optional|repeated) ([\w.]+) (\w+) = \d+/gm)].map(([, type = '', name = '']) => [
      name,
      type,
    ]),
  );
}

const phone = '4915120000001';
const contact = '4915112345678@s.whatsapp.net';
const media = {
  url: 'https://mmg.whatsapp.net/x',
  mediaKey: Buffer.alloc(32, 1),
  mimetype: 'image/png',
  fileLength: 1,
};
const key = { remoteJid: contact, fromMe: true, id: 'TARGET' };
const sealed = { encPayload: Buffer.alloc(32), encIv: Buffer.alloc(12) };
const poll = { name: '?', options: [{ optionName: 'A' }], selectableOptionsCount: 1 };
const empty = {};

/** What becomes of a field of the message: the type of the fact, or why there is none. */
type Outcome =
  | `message ${string}`
  | `change ${string}`
  /** Waits for the message that it changes, and is counted. */
  | 'waits'
  | `unreadable ${string}`
  | 'ignored';

/** Contents: what people write. Wrappers hold a text. */
const contents: Readonly<Record<string, readonly [sample: unknown, Outcome]>> = {
  conversation: ['Hello', 'message text'],
  imageMessage: [media, 'message image'],
  contactMessage: [{ displayName: 'Ada', vcard: 'BEGIN:VCARD\nEND:VCARD' }, 'message contact'],
  locationMessage: [{ degreesLatitude: 1, degreesLongitude: 2 }, 'message location'],
  extendedTextMessage: [{ text: 'Hello' }, 'message text'],
  documentMessage: [media, 'message document'],
  audioMessage: [media, 'message audio'],
  videoMessage: [media, 'message video'],
  contactsArrayMessage: [{ contacts: [] }, 'message contact'],
  liveLocationMessage: [{ degreesLatitude: 1, degreesLongitude: 2 }, 'message location'],
  stickerMessage: [media, 'message image'],
  ptvMessage: [media, 'message video'],
  pollCreationMessage: [poll, 'message poll'],
  pollCreationMessageV2: [poll, 'message poll'],
  pollCreationMessageV3: [poll, 'message poll'],
  pollCreationMessageV5: [poll, 'message poll'],
};

/** What the protocol says beside messages, and changes of messages. */
const others: Readonly<Record<string, readonly [sample: unknown, Outcome]>> = {
  senderKeyDistributionMessage: [{ groupId: 'x@g.us' }, 'ignored'],
  fastRatchetKeySenderKeyDistributionMessage: [{ groupId: 'x@g.us' }, 'ignored'],
  protocolMessage: [{ key, type: proto.Message.ProtocolMessage.Type.REVOKE }, 'change revoked'],
  messageContextInfo: [{ messageSecret: Buffer.alloc(32) }, 'ignored'],
  reactionMessage: [{ key, text: '👍' }, 'change reacted'],
  pollUpdateMessage: [{ pollCreationMessageKey: key, vote: sealed }, 'unreadable vote'],
  keepInChatMessage: [{ key }, 'ignored'],
  pinInChatMessage: [{ key }, 'ignored'],
  encReactionMessage: [{ targetMessageKey: key, ...sealed }, 'waits'],
  encCommentMessage: [{ targetMessageKey: key, ...sealed }, 'ignored'],
  encEventResponseMessage: [{ eventCreationMessageKey: key, ...sealed }, 'waits'],
  secretEncryptedMessage: [{ targetMessageKey: key, ...sealed, secretEncType: 2 }, 'waits'],
  placeholderMessage: [empty, 'ignored'],
  messageHistoryBundle: [empty, 'ignored'],
  albumMessage: [empty, 'ignored'],
  deviceSentMessage: [{ destinationJid: contact, message: { conversation: 'Copy' } }, 'message text'],
};

describe('every field of a message', () => {
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  let store: SessionDataStore;
  let data: SessionData;
  let inbound: Inbound;
  let early: EarlyChanges;
  const told: Fact[] = [];
  const unreadable: string[] = [];
  const ignored: string[] = [];
  beforeAll(async () => {
    folder = await sessionsFolder();
    store = await openStore(folder.directory);
    data = await store.open(randomUUID(), 1);
    const facts = {
      keep: (kept: readonly Fact[]) => ({ changes: () => (told.push(...kept), []), kept: () => undefined }),
    };
    const clock = { now: () => 1_767_225_600_000 };
    const listener = {
      unreadable: (reason: string) => void unreadable.push(reason),
      ignored: (kind: string) => void ignored.push(kind),
    };
    const failed = (error: Error): never => {
      throw error;
    };
    early = new EarlyChanges({ data, clock, listener });
    inbound = new Inbound({
      data,
      state: new SignalState(data),
      facts,
      groups: { isAdmin: async () => false, forget: () => [] } as never,
      clock,
      self: () => ({ phone, lid: '9' }),
      late: new LateContent({ data, facts, clock, listener, request: () => false, failed }),
      early,
      listener,
      failed,
    });
  });
  afterAll(async () => {
    await store.close();
    await folder.remove();
  });

  async function outcomeOf(message: proto.IMessage, attrs: Record<string, string> = {}): Promise<Outcome | undefined> {
    for (const list of [told, unreadable, ignored]) list.length = 0;
    const ciphertext = Buffer.from(randomUUID());
    const stanza: BinaryNode = {
      tag: 'message',
      attrs: { id: randomUUID(), from: contact, t: '1767225600', ...attrs },
      content: [{ tag: 'enc', attrs: { v: '2', type: 'msg' }, content: ciphertext }],
    };
    await inbound.expect(stanza);
    expect(await inbound.repeated(ciphertext)).toBeUndefined();
    const plaintext = Buffer.concat([proto.Message.encode(message).finish(), Buffer.of(1)]);
    const { changes, done } = await inbound.keep({ ciphertext, plaintext });
    const written = changes();
    await data.commit(written);
    done();
    inbound.handled(stanza);
    const [fact] = told;
    if (fact?.kind === 'message') return `message ${fact.data.content.type}`;
    if (fact?.kind === 'change') return `change ${fact.data.change.type}`;
    if (unreadable[0] !== undefined) return `unreadable ${unreadable[0]}`;
    if (written.some(({ table }) => table === 'missing')) return 'waits';
    return ignored[0] === undefined ? undefined : 'ignored';
  }

  const fields = fieldsOfMessage();
  const known = { ...contents, ...others };
  const wrappers = [...fields].filter(([, type]) => type === 'FutureProofMessage').map(([name]) => name);

  it('is in the schema of the library', () => {
    expect(fields.size).toBeGreaterThanOrEqual(95);
    expect(wrappers.length).toBeGreaterThanOrEqual(23);
    expect(Object.keys(known).filter((field) => !fields.has(field))).toEqual([]);
  });

  it.each(Object.entries(known))('%s', async (field, [sample, expected]) => {
    expect(await outcomeOf(proto.Message.fromObject({ [field]: sample }))).toBe(expected);
    // Each is counted once.
    expect(ignored).toHaveLength(expected === 'ignored' ? 1 : 0);
  });

  it.each(wrappers)('%s, which wraps another message', async (field) => {
    const message = proto.Message.fromObject({ [field]: { message: { conversation: 'Inside' } } });
    expect(await outcomeOf(message)).toMatch(/^(message (text|unsupported)|ignored)$/);
  });

  it.each([...fields.keys()].filter((field) => !(field in known) && !wrappers.includes(field)))(
    '%s, of which nothing is known here',
    async (field) => {
      expect(await outcomeOf(proto.Message.fromObject({ [field]: {} }))).toMatch(/^(message unsupported|ignored)$/);
    },
  );

  it.each([
    ['status', { from: 'status@broadcast', participant: contact }],
    ['channel', { from: '120363000000000001@newsletter' }],
    ['own broadcast list', { from: '1700000000@broadcast', participant: `${phone}@s.whatsapp.net` }],
    ['unknown address', { from: 'somebody@example' }],
  ])('a stanza of no chat is ignored on purpose: %s', async (kind, attrs) => {
    expect(await outcomeOf({ conversation: 'Hello' }, attrs)).toBe('ignored');
    expect(ignored).toEqual([kind]);
  });

  it.each<[string, Record<string, string>]>([
    ['a person', { from: contact }],
    ['a group', { from: '120363000000000001@g.us', participant: contact }],
    ['a broadcast list', { from: '1700000000@broadcast', participant: contact }],
    ['the phone of the profile', { from: `${phone}@s.whatsapp.net`, recipient: contact }],
  ])('a stanza of a chat is a message: %s', async (_, attrs) => {
    expect(await outcomeOf({ conversation: 'Hello' }, attrs)).toBe('message text');
  });

  it.each<[string, BinaryNode['content'], Record<string, string>, RegExp]>([
    ['without content', [], {}, /^waits$/],
    ['unavailable', [{ tag: 'unavailable', attrs: {} }], {}, /^waits$/],
    ['shown once', [{ tag: 'unavailable', attrs: { type: 'view_once' } }], {}, /^waits$/],
    ['of a bot', [{ tag: 'unavailable', attrs: { type: 'bot_unavailable_fanout' } }], {}, /^bot$/],
    ['encrypted for a bot', [{ tag: 'enc', attrs: { type: 'msmsg' } }], {}, /^bot$/],
    ['a reaction without content', [], { type: 'reaction' }, /^reaction$/],
    ['an edit without content', [], { edit: '1' }, /^edit$/],
    ['of an own device', [], { category: 'peer' }, /^peer$/],
    ['that the library cannot read', [{ tag: 'enc', attrs: {} }], {}, /^malformed stanza$/],
  ])('a stanza that holds no message: %s', async (_, content, attrs, expected) => {
    for (const list of [unreadable, ignored]) list.length = 0;
    const before = (await data.scan('missing', '', 1_000)).length;
    const id = randomUUID();
    const stanza = { tag: 'message', attrs: { id, from: contact, t: '1767225600', ...attrs }, content } as BinaryNode;
    await inbound.expect(stanza);
    inbound.handled(stanza);
    const waits = (await data.scan('missing', '', 1_000)).length > before;
    expect(waits ? 'waits' : [...unreadable, ...ignored].join()).toMatch(expected);
  });
});
