import { describe, expect, it } from '@jest/globals';
import { fits, kindOf, needsConversion } from './kinds.ts';
import { mimetypeOf } from './mimetype.ts';

const bytes = (hex: string): Buffer => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(64)]);
const jpeg = bytes('ffd8ffe000104a46494600');
const zip = bytes('504b0304140000000800');
const webm = bytes('1a45dfa39f4286810142f7810142f2810442f381084282847765626d');
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('the type of media', () => {
  it.each([
    ['is what the bytes are, whatever the sender says', jpeg, 'text/html', 'image/jpeg'],
    ['is what the bytes are when nothing is said', jpeg, undefined, 'image/jpeg'],
    ['is the format inside a container that the sender names', zip, word, word],
    ['is the container when another is named', zip, 'image/png', 'application/zip'],
    ['is sound when the sender says so of a container for both', webm, 'audio/webm', 'audio/webm'],
    ['is sound in 3GPP when the sender says so', bytes('000000146674797033677034'), 'audio/3gpp', 'audio/3gpp'],
    ['is the sort of text that is said', Buffer.from('a,b\n1,ü'), 'text/csv', 'text/csv'],
    ['is text when something else is said of a text', Buffer.from('hello'), 'image/png', 'text/plain'],
    ['is bytes when nothing is known', bytes('01ff02'), 'video/mp4', 'application/octet-stream'],
    ['is text, cut in the middle of a character', Buffer.from('ü').subarray(0, 1), undefined, 'text/plain'],
    ['does not take a type without end', Buffer.from('hello'), `text/${'x'.repeat(20_000)}`, 'text/plain'],
    ['does not take what is no type', Buffer.from('hello'), 'text/html\r\nX: 1', 'text/plain'],
  ])('%s', async (_, head, said, found) => expect(await mimetypeOf(head, said)).toBe(found));

  it.each([
    ['image/jpeg', 'image'],
    ['image/svg+xml', 'document'],
    ['video/mp4', 'video'],
    ['audio/ogg; codecs=opus', 'audio'],
    ['application/pdf', 'document'],
  ])('%s goes out as %s', (mimetype, kind) => expect(kindOf(mimetype)).toBe(kind));

  it('fits a kind, and a document always', () => {
    expect([fits('image/png', 'image'), fits('image/png', 'audio'), fits('image/png', 'document')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it.each([
    ['video/webm', true],
    ['audio/webm; codecs=opus', true],
    ['video/3gpp', true],
    ['video/mp4', true],
    ['audio/mp4', false],
    ['application/ogg', false],
    ['audio/mpeg', false],
  ])('%s fits audio; conversion needed: %s', (mimetype, isNeeded) => {
    expect([fits(mimetype, 'audio'), needsConversion(mimetype)]).toEqual([true, isNeeded]);
  });
});
