import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Refused } from '@messaging-gateway/messaging';
import { mediaKey, mediaUrl, type OperationReply, type OperationRequest } from '@messaging-gateway/contracts';
import { png } from '@messaging-gateway/media/testing';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { call, startTestGateway, type Called, type TestGateway } from '../testing/test-gateway.ts';

const organizationId = randomUUID();
const picture = png(20_000);
const sent = async (): Promise<OperationReply> => ({ status: 200, body: { sent: 1 } });
let database: TestDatabase;
let gateway: TestGateway;
let token: string;
let answer = sent;
let asked: OperationRequest[];

beforeAll(async () => {
  database = await testDatabase();
  gateway = await startTestGateway({ databaseUrl: database.url });
  ({ token } = gateway.identity.signIn(gateway.clock, { organizationId, permissions: ['message:send'] }));
  asked = await gateway.own('SendPictures', () => answer());
});
afterEach(() => {
  answer = sent;
  asked.splice(0);
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

const send = (contents: readonly object[], headers: Record<string, string> = {}): Promise<Called> =>
  call(gateway, 'POST', '/pictures', {
    token,
    headers,
    body: { pictures: contents.map((content) => ({ name: 'one', content })) },
  });
const base64 = (bytes: Buffer): string => bytes.toString('base64');
interface Asked {
  readonly pictures: readonly { readonly content: { readonly base64: string } }[];
}
const keysAsked = (at = 0): string[] => {
  const body = asked[at]?.body as Asked | undefined;
  return (body?.pictures ?? []).map(({ content }) => content.base64);
};
const stored = async (key: string) => {
  const found = await gateway.media.get(key);
  return found && { mimetype: found.mimetype, bytes: await buffer(found.stream) };
};

describe('media as base64', () => {
  it('reach the owner as a key of the store', async () => {
    const url = { url: 'https://pictures.example/a.png' };
    const dataUrl = `data:text/plain;base64,${base64(picture)}`;
    const inLines = base64(picture).replaceAll(/.{76}/g, '$&\r\n');
    expect((await send([{ base64: dataUrl }, url, { base64: inLines }])).status).toBe(200);
    const [first = '', none, last = ''] = keysAsked();
    expect(none).toBeUndefined();
    for (const key of [first, last]) {
      expect(key).toMatch(new RegExp(`^${organizationId}/uploads/[0-9a-f-]{36}$`));
      expect(await stored(key)).toEqual({ mimetype: 'image/png', bytes: picture });
    }
    expect(first).not.toBe(last);
  });

  it.each([
    ['what is not base64', 'not base64!', 'must be base64 of the file, such as iVBORw0KGgo=, or a data URL with it'],
    [
      'what has a character too many',
      'QUJDR',
      'must be base64 of the file, such as iVBORw0KGgo=, or a data URL with it',
    ],
    [
      'nothing at all',
      'data:image/png;base64,',
      'must be base64 of the file, such as iVBORw0KGgo=, or a data URL with it',
    ],
    ['another kind', Buffer.from('%PDF-1.7').toString('base64'), 'must be an image, and its bytes are application/pdf'],
  ])('are refused when they are %s; the field is named', async (_, text, message) => {
    const { status, body } = await send([{ base64: base64(picture) }, { base64: text }]);
    expect([status, body.error.details]).toEqual([400, [{ path: 'body.pictures[1].content.base64', message }]]);
    expect(asked).toEqual([]);
  });

  it('are refused when they are too large; the field is named', async () => {
    const { status, body } = await send([{ base64: base64(png(16 * 1024 * 1024 + 3)) }]);
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(body.error.message).toBe('body.pictures[0].content.base64 may have at most 16 MiB.');
  });

  it('are deleted when the owner refuses the request', async () => {
    answer = () => Promise.reject(new Refused('PROFILE_NOT_CONNECTED', 'No.'));
    expect((await send([{ base64: base64(picture) }])).status).toBe(409);
    expect(await stored(keysAsked()[0] ?? '')).toBeUndefined();
  });

  it('stay when nobody knows how the request ended, and are the same ones when it is repeated', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    answer = () => Promise.reject(new Refused('ENGINE_TIMEOUT', 'No answer.'));
    expect((await send([{ base64: base64(picture) }], headers)).status).toBe(504);
    expect((await stored(keysAsked()[0] ?? ''))?.bytes).toEqual(picture);
    answer = sent;
    expect((await send([{ base64: base64(picture) }], headers)).status).toBe(200);
    expect(keysAsked(1)).toEqual(keysAsked(0));
    expect((await send([{ base64: base64(picture) }], headers)).headers.get('idempotency-replayed')).toBe('true');
    expect((await stored(keysAsked()[0] ?? ''))?.bytes).toEqual(picture);
    expect((await send([{ base64: base64(png(20_001)) }], headers)).status).toBe(422);
  });
});

describe('URLs of media', () => {
  it('come to the owner without the host when that is the one the request was sent to', async () => {
    const path = mediaUrl(mediaKey({ organizationId }, randomUUID()));
    const { host } = new URL(gateway.url);
    const foreign = [
      `https://elsewhere.example${path}`,
      `https://${host}.elsewhere.example${path}`,
      `https://${host}@elsewhere.example${path}`,
      `//elsewhere.example${path}`,
      `${gateway.url}/api/v1/health`,
    ];
    const own = [path, gateway.url + path, `https://${host.toUpperCase()}${path}?x=1`];
    expect((await send([...own, ...foreign].map((url) => ({ url })))).status).toBe(200);
    const body = asked[0]?.body as { pictures: readonly { content: { url: string } }[] } | undefined;
    expect(body?.pictures.map(({ content }) => content.url)).toEqual([...own.map(() => path), ...foreign]);
  });
});
