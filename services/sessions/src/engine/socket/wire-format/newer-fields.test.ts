import { describe, expect, it } from '@jest/globals';
import { proto } from '@whiskeysockets/baileys';
import { openMessage } from './message-kinds.ts';
import { withKnownFields } from './newer-fields.ts';
import { pollOf } from './polls.ts';

const poll = { name: 'Hidden?', options: [{ optionName: 'Yes' }, { optionName: 'No' }] };
/** An encoded poll under the number of a field that the library does not have. */
const newer = (message: proto.IMessage, tag: string): Buffer => {
  const encoded = Buffer.from(proto.Message.encode(message).finish());
  const at = encoded.indexOf(Buffer.from(tag, 'hex'));
  expect(at).toBeGreaterThanOrEqual(0);
  encoded.write('ba07', at, 'hex');
  return encoded;
};
const readPoll = (encoded: Uint8Array) => pollOf(openMessage(proto.Message.decode(withKnownFields(encoded))).message);

describe('a poll of the sixth form', () => {
  const plain = { pollCreationMessageV5: poll };
  it.each<[string, Buffer]>([
    ['alone', newer(plain, 'fa06')],
    ['with a secret', newer({ messageContextInfo: { messageSecret: Buffer.alloc(32, 1) }, ...plain }, 'fa06')],
    ['that disappears', newer({ ephemeralMessage: { message: plain } }, 'fa06')],
    [
      'within a wrapper of its own',
      newer({ pollCreationMessageV4: { message: { pollCreationMessage: poll } } }, 'ea05'),
    ],
  ])('%s is read', (_, encoded) => {
    expect(pollOf(openMessage(proto.Message.decode(encoded)).message)).toBeUndefined();
    expect(readPoll(encoded)).toMatchObject(poll);
  });

  it('within the copy of an own device is read', () => {
    const encoded = newer({ deviceSentMessage: { destinationJid: 'x', message: plain } }, 'fa06');
    expect(
      proto.Message.decode(withKnownFields(encoded)).deviceSentMessage?.message?.pollCreationMessageV5,
    ).toMatchObject(poll);
  });

  it('leaves other messages, and bytes that are none, as they are', () => {
    const text = proto.Message.encode({ conversation: '\u00ba\u0007' }).finish();
    expect(proto.Message.decode(withKnownFields(text)).conversation).toBe('\u00ba\u0007');
    const broken = Buffer.from('ba07ffffffffffffff', 'hex');
    expect(Buffer.from(withKnownFields(broken)).equals(broken)).toBe(true);
  });
});
