import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { check, SessionMessage, SessionMessageChanged } from '@messaging-gateway/contracts';
import { proto, type BinaryNode } from '@whiskeysockets/baileys';
import fc from 'fast-check';
import type { SessionData, SessionDataStore } from '../../session-data/session-data-store.ts';
import { openStore, sessionsFolder } from '../../testing/engine-harness.ts';
import { factsKept } from '../../traffic/attached-media.ts';
import type { Fact } from '../engine.ts';
import { EarlyChanges } from './receiving/early-changes.ts';
import { Inbound } from './receiving/inbound.ts';
import { LateContent } from './receiving/late-content.ts';
import { SignalState } from './signal/signal-state.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('', '\0', 'a@s.whatsapp.net', '4915112345678:3@s.whatsapp.net', '1@lid', '\ud800'),
);
const bytes = fc.uint8Array({ maxLength: 40 });
const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(NaN, Infinity, -1, 2 ** 53, 1e300));
const optional = (shape: Record<string, fc.Arbitrary<unknown>>) => fc.record(shape, { requiredKeys: [] });
const key = optional({ id: text, remoteJid: text, participant: text, fromMe: fc.boolean() });
const contextInfo = optional({ stanzaId: text, participant: text, mentionedJid: fc.array(text, { maxLength: 5 }) });
const media = optional({
  url: text,
  directPath: text,
  mimetype: text,
  caption: text,
  fileName: text,
  title: text,
  fileLength: fc.nat(),
  mediaKey: bytes,
  fileSha256: bytes,
  gifPlayback: fc.boolean(),
  ptt: fc.boolean(),
  contextInfo,
});
const place = optional({ degreesLatitude: number, degreesLongitude: number, name: text, address: text, contextInfo });
const card = optional({ displayName: text, vcard: text, contextInfo });
const poll = optional({
  name: text,
  options: fc.array(optional({ optionName: text }), { maxLength: 5 }),
  selectableOptionsCount: fc.nat(),
});
const { message } = fc.letrec<{ message: Record<string, unknown> }>((tie) => ({
  message: fc.oneof(
    { maxDepth: 4 },
    optional({
      conversation: text,
      extendedTextMessage: optional({ text, matchedText: text, title: text, description: text, contextInfo }),
      imageMessage: media,
      messageContextInfo: optional({ messageSecret: bytes }),
    }),
    optional({ videoMessage: media, stickerMessage: media, audioMessage: media, documentMessage: media }),
    optional({ locationMessage: place, liveLocationMessage: place, contactMessage: card }),
    optional({ contactsArrayMessage: optional({ contacts: fc.array(card, { maxLength: 5 }) }), ptvMessage: media }),
    optional({ pollCreationMessage: poll, pollCreationMessageV3: poll, reactionMessage: optional({ key, text }) }),
    optional({
      pollUpdateMessage: optional({
        pollCreationMessageKey: key,
        vote: optional({ encPayload: bytes, encIv: bytes }),
      }),
    }),
    optional({
      protocolMessage: optional({ key, type: fc.constantFrom(0, 3, 14, 25), editedMessage: tie('message') }),
    }),
    ...['ephemeralMessage', 'viewOnceMessage', 'documentWithCaptionMessage', 'editedMessage'].map((wrapper) =>
      fc.record({ [wrapper]: optional({ message: tie('message') }) }),
    ),
    fc.record({ deviceSentMessage: optional({ destinationJid: text, message: tie('message') }) }),
  ) as fc.Arbitrary<Record<string, unknown>>,
}));
const time = fc.constantFrom(undefined, '1767225600', '', 'x', '-1', '99999999999999999', '1e400');
const attributes = fc.record({
  id: fc.oneof(fc.constant('3EB0C767D82B1F2A'), text),
  t: time,
  notify: fc.option(text, { nil: undefined }),
  sender_pn: fc.constantFrom(undefined, '4915112345678@s.whatsapp.net', 'x', ''),
  from: fc.constantFrom('4915112345678@s.whatsapp.net', '1:3@lid', '120363000000000001@g.us', 'status@broadcast', 'x'),
  participant: fc.constantFrom(undefined, '2:1@lid', '', 'x'),
});

describe('a stanza from a stranger', () => {
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  let store: SessionDataStore;
  let data: SessionData;
  const told: Fact[] = [];
  const failed: Error[] = [];
  let inbound: Inbound;
  beforeAll(async () => {
    folder = await sessionsFolder();
    store = await openStore(folder.directory);
    data = await store.open(randomUUID(), 1);
    const recorder = {
      keep: (facts: readonly Fact[]) => ({ changes: () => (told.push(...facts), []), kept: () => undefined }),
    };
    const clock = { now: () => 1_767_225_600_000 };
    const listener = { unreadable: () => undefined, ignored: () => undefined };
    const fail = (error: Error): void => void failed.push(error);
    inbound = new Inbound({
      data,
      state: new SignalState(data),
      facts: factsKept(recorder, { holds: () => false, keep: recorder.keep }),
      groups: { isAdmin: async () => false, forget: () => [] } as never,
      clock,
      self: () => ({ phone: '4915120000001', lid: '9' }),
      late: new LateContent({ data, facts: recorder, clock, listener, request: () => false, failed: fail }),
      early: new EarlyChanges({ data, clock, listener }),
      listener,
      failed: fail,
    });
  });
  afterAll(async () => {
    await store.close();
    await folder.remove();
  });

  const taken = async (attrs: Record<string, string | undefined>, plaintext: Uint8Array): Promise<void> => {
    told.length = 0;
    const ciphertext = Buffer.from(randomUUID());
    const stanza = { tag: 'message', attrs, content: [{ tag: 'enc', attrs: {}, content: ciphertext }] } as BinaryNode;
    await inbound.expect(stanza);
    expect(await inbound.repeated(ciphertext)).toBeUndefined();
    const { changes, done } = await inbound.keep({ ciphertext, plaintext });
    await data.commit(changes());
    done();
    expect(failed).toEqual([]);
  };
  const padded = (whole: Uint8Array): Buffer => Buffer.concat([whole, Buffer.of(1)]);

  it('is kept as its contract says, or not told, whatever is in it', async () => {
    await fc.assert(
      fc.asyncProperty(attributes, message, async (attrs, content) => {
        await taken(attrs, padded(proto.Message.encode(proto.Message.fromObject(content)).finish()));
        for (const fact of told) {
          const { data: schema } = fact.kind === 'message' ? SessionMessage : SessionMessageChanged;
          expect(check(schema, fact.data, 'data')).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is taken though it is no message at all', async () => {
    await fc.assert(
      fc.asyncProperty(attributes, fc.uint8Array({ maxLength: 200 }), (attrs, plaintext) => taken(attrs, plaintext)),
      { numRuns: 200 },
    );
  });

  it('is taken though it lies in a thousand wrappers', async () => {
    // Field 40 (ephemeralMessage) with field 1 (message) in it, from the innermost outwards.
    const parts: Buffer[] = [Buffer.from(proto.Message.encode({ conversation: 'deep' }).finish())];
    let length = parts[0]?.length ?? 0;
    for (let depth = 0; depth < 40_000; depth += 1) {
      const header = depth % 2 === 0 ? [0x0a] : [0xc2, 0x02];
      for (let rest = length; ; rest >>>= 7) {
        header.push(rest > 127 ? (rest & 127) | 128 : rest);
        if (rest <= 127) break;
      }
      parts.push(Buffer.from(header));
      length += header.length;
    }
    const inner = Buffer.concat(parts.reverse());
    await taken({ id: 'deep', from: '4915112345678@s.whatsapp.net', t: '1767225600' }, padded(inner));
    expect(told).toEqual([]);
  });
});
