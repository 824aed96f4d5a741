import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Base64Media, closed } from '@messaging-gateway/contracts';
import { noMedia, png } from '@messaging-gateway/media/testing';
import { silentLogger } from '@messaging-gateway/runtime';
import { RequestMedia } from './request-media.ts';
import { base64Fields, storeBase64 } from './body-media.ts';

const fields = base64Fields(closed({ base64: Base64Media('image') }));
const unlimited = { assertRoom: async () => undefined, note: async () => undefined };
const store = (base64: string): Promise<void> => {
  const put = new RequestMedia(noMedia, unlimited, silentLogger);
  return storeBase64({ base64 }, fields, { organizationId: randomUUID(), id: randomUUID(), put });
};

describe('large media as base64, in a process that holds much compiled code', () => {
  // The runtime then leaves regular expressions as they are by itself.
  beforeAll(() => setFlagsFromString('--no-regexp-optimization'));
  afterAll(() => setFlagsFromString('--regexp-optimization'));

  it('are judged as everywhere', async () => {
    const text = png(16 * 1024 * 1024 + 3).toString('base64');
    await expect(store(text)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    const notBase64 = {
      code: 'VALIDATION_ERROR',
      details: [{ path: 'body.base64', message: expect.stringMatching('^must be base64') }],
    };
    await expect(store(`${text.slice(0, -2)}!=`)).rejects.toMatchObject(notBase64);
    await expect(store(`data:${text}`)).rejects.toMatchObject(notBase64);
    await expect(store(`${text}===`)).rejects.toMatchObject(notBase64);
  });
});
