import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  MessageAccepted,
  ScheduleMessage,
  SendAudio,
  SendBulk,
  mediaKey,
  mediaUrl,
  type MessageContentOf,
  type Operation,
} from '@messaging-gateway/contracts';
import { oggOpus, sourceOf, wav } from '@messaging-gateway/media/testing';
import { describeWithProgram } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { outboundTest, recipient, type OutboundTest, type TestProfile } from '../testing/outbound-test.ts';
import { converted, ffmpeg } from '../testing/converted.ts';
import { listenWith } from './ffmpeg.ts';

type Sound = Extract<MessageContentOf, { type: 'audio' }>;

let outbound: OutboundTest;
let profile: TestProfile;
let files: Server;
let filesUrl: string;
let fetched = 0;
const sounds = new Map<string, Buffer>();

const call = (contract: Operation, body: object, resourceId = v7()) =>
  outbound.service.call(contract, {
    caller: profile.caller,
    body: { profileId: profile.profileId, ...body },
    resourceId,
  });
const send = (fields: object) => call(SendAudio, { to: recipient, ptt: true, ...fields });
const lastHanded = () => outbound.network.handed.at(-1)?.content as Sound;
const upload = async (bytes: Buffer, mimetype?: string): Promise<string> => {
  const key = mediaKey({ organizationId: profile.caller.organizationId }, v7());
  await outbound.service.media.put(key, sourceOf(bytes), { mimetype });
  return key;
};
const stored = async ({ media }: Sound): Promise<Buffer> => {
  const found = await outbound.service.media.get('key' in media ? media.key : '');
  return found === undefined ? Buffer.alloc(0) : buffer(found.stream);
};
const started = async (program: string | undefined) => {
  outbound = await outboundTest({ ffmpeg: program, allowPrivateTargets: true });
  profile = await outbound.profile();
};
const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`voice-note-${process.pid}-`));

beforeAll(async () => {
  files = createServer(({ url = '' }, response) => {
    fetched += 1;
    const sound = sounds.get(url);
    response.writeHead(sound === undefined ? 404 : 200).end(sound);
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  filesUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
});
afterAll(() => void files.close());

describeWithProgram('ffmpeg', 'a voice note, with ffmpeg', () => {
  beforeAll(() => started(ffmpeg));
  afterAll(() => outbound.stop());

  const formats: readonly [string, readonly string[], string?][] = [
    ['WAV', [], undefined],
    ['MP3', ['-metadata', 'title=Secret', '-f', 'mp3'], undefined],
    ['AAC', ['-c:a', 'aac', '-f', 'adts'], undefined],
    ['M4A', ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov', '-brand', 'M4A ', '-f', 'mp4'], 'audio/mp4'],
    ['WebM', ['-c:a', 'libopus', '-f', 'webm'], 'audio/webm'],
    ['Ogg with Vorbis, of two channels', ['-ac', '2', '-strict', '-2', '-c:a', 'vorbis', '-f', 'ogg'], undefined],
    ['Ogg with FLAC', ['-c:a', 'flac', '-f', 'ogg'], 'audio/ogg'],
  ];
  it.each(formats)('is made of %s', async (_, into, mimetype) => {
    const given = into.length === 0 ? wav(2) : converted(wav(2), into);
    const key = await upload(given, mimetype);
    expect((await send({ base64: key, ...(mimetype !== undefined && { mimetype }) })).status).toBe(200);
    const { content, media } = lastHanded();
    expect(content).toMatchObject({ ptt: true, mimetype: 'audio/ogg; codecs=opus', seconds: 2 });
    const bars = [...Buffer.from(content.waveform ?? '', 'base64')];
    expect(bars).toHaveLength(64);
    expect(Math.max(...bars)).toBe(100);
    expect(Math.max(...bars.slice(0, 28))).toBeLessThan(5);
    expect(Math.min(...bars.slice(36, 60))).toBeGreaterThan(50);
    expect(media).not.toEqual({ key });
    const made = await stored(lastHanded());
    expect(made.toString('latin1', 28, 36)).toBe('OpusHead');
    expect(made[37]).toBe(1);
    expect(made.includes('Secret')).toBe(false);
    expect(folders()).toEqual([]);
  });

  it('and audio in a container for audio and video is made playable without being a voice note', async () => {
    const webm = await upload(converted(wav(2), ['-c:a', 'libopus', '-f', 'webm']));
    expect((await send({ base64: webm, ptt: false })).status).toBe(200);
    const { content, media } = lastHanded();
    expect(content).toEqual({ ptt: false, mimetype: 'audio/ogg; codecs=opus', seconds: 2 });
    expect(media).not.toEqual({ key: webm });
  });

  it('that is Ogg with Opus already passes as it is', async () => {
    const key = await upload(converted(wav(3), ['-c:a', 'libopus', '-f', 'ogg']));
    await send({ base64: key });
    expect(lastHanded()).toMatchObject({ media: { key }, content: { seconds: 3, waveform: expect.any(String) } });
  });

  it('is made of what a URL leads to, once for a request and all who get it', async () => {
    sounds.set('/note', wav(1));
    fetched = 0;
    const content = { url: `${filesUrl}/note`, ptt: true };
    const messages = [0, 1, 2].map(() => ({ chatId: recipient, type: 'audio', content }));
    expect((await call(SendBulk, { messages })).status).toBe(202);
    expect(fetched).toBe(1);
  });

  it('is stored under the same key when the request comes again', async () => {
    sounds.set('/again', wav(1));
    const [fields, id] = [{ to: recipient, ptt: true, url: `${filesUrl}/again` }, v7()];
    profile = await outbound.profile();
    outbound.network.disconnected.add(profile.profileId);
    await expect(call(SendAudio, fields, id)).rejects.toMatchObject({ code: 'PROFILE_NOT_CONNECTED' });
    await profile.reconnect();
    await call(SendAudio, fields, id);
    const first = lastHanded().media;
    await call(SendAudio, fields);
    expect(lastHanded().media).not.toEqual(first);
  });

  const refused: readonly [string, () => Buffer, RegExp][] = [
    ['no sound at all', () => Buffer.concat([wav(1).subarray(0, 44), Buffer.alloc(0)]), /holds no sound|can read/],
    ['what only begins like sound', () => Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(500, 7)]), /can read/],
  ];
  it.each(refused)('is refused, and nothing is queued: %s', async (_, make, reason) => {
    profile = await outbound.profile();
    const key = await upload(make());
    const fault = { code: 'MEDIA_UNAVAILABLE', message: expect.stringMatching(reason) };
    await expect(send({ base64: key })).rejects.toMatchObject({ ...fault, details: [{ path: 'body.base64' }] });
    const content = { url: mediaUrl(key), ptt: true };
    const ok = { chatId: recipient, type: 'text', content: { text: 'Hello' } };
    await expect(call(SendBulk, { messages: [ok, { ...ok, type: 'audio', content }] })).rejects.toMatchObject({
      ...fault,
      details: [{ path: 'body.messages[1].content.url' }],
    });
    const scheduledAt = new Date(outbound.service.clock.now() + 60_000).toISOString();
    const later = { to: recipient, type: 'audio', content, scheduledAt };
    await expect(call(ScheduleMessage, later)).rejects.toMatchObject({
      ...fault,
      details: [{ path: 'body.content.url' }],
    });
    const { profileId } = profile;
    const accepted = await outbound.service.published(MessageAccepted);
    expect(accepted.filter((one) => one.profileId === profileId)).toEqual([]);
    expect(folders()).toEqual([]);
  });
});

describeWithProgram('ffmpeg', 'the metrics of voice notes', () => {
  beforeAll(() => started(ffmpeg));
  afterAll(() => outbound.stop());

  it('tell what became of them, and how long ffmpeg ran', async () => {
    await send({ base64: await upload(wav(1)) });
    await send({ base64: await upload(converted(wav(1), ['-c:a', 'libopus', '-f', 'ogg'])) });
    await expect(send({ base64: await upload(Buffer.from('fLaC nothing more')) })).rejects.toThrow();
    await expect(send({ url: `${filesUrl}/nothing` })).rejects.toThrow();
    const text = await outbound.service.metrics();
    const told = Object.fromEntries(
      [...text.matchAll(/^outbound_voice_note\w+(?:\{outcome="([a-z-]+)"\}|_count) (\d+)$/gm)].map(
        ([, outcome = 'conversions', count]) => [outcome, Number(count)],
      ),
    );
    expect(told).toEqual({ converted: 1, passed: 1, refused: 2, conversions: 3 });
  });
});

describeWithProgram('ffmpeg', 'a file given to ffmpeg', () => {
  const directory = mkdtempSync(join(tmpdir(), 'given-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const listen = (from: string, bytes: Buffer | string) => {
    const path = join(directory, from);
    writeFileSync(path, bytes);
    const limits = { longest: 60, largest: 1_048_576, signal: AbortSignal.timeout(60_000) };
    return listenWith({ program: ffmpeg ?? '', from: path, to: join(directory, 'made'), ...limits });
  };

  it('is read up to a length', async () => {
    expect(await listen('short', wav(60))).toMatchObject({ seconds: 60 });
    await expect(listen('long', wav(70))).rejects.toThrow('is longer than 1 minutes');
  });

  it('leads to no other file', async () => {
    const list = `#EXTM3U\n#EXTINF:60,\nfile://${join(directory, 'short')}\n#EXT-X-ENDLIST\n`;
    await expect(listen('list.m3u8', list)).rejects.toThrow('is not audio that ffmpeg can read');
    await expect(listen('list', `ffconcat version 1.0\nfile short\n`)).rejects.toThrow('can read');
  });
});

describe('a voice note, without ffmpeg', () => {
  beforeAll(() => started(undefined));
  afterAll(() => outbound.stop());

  it('is refused with what is missing, unless it is Ogg with Opus', async () => {
    const wave = await upload(wav(1));
    await expect(send({ base64: wave })).rejects.toMatchObject({
      code: 'MEDIA_UNAVAILABLE',
      message: expect.stringMatching(
        /^body\.base64 is audio\/\S*wav, and phones play it only as Ogg with Opus: .* no ffmpeg/,
      ),
    });
    const note = await upload(oggOpus(7));
    expect((await send({ base64: note })).status).toBe(200);
    expect(lastHanded()).toEqual({
      type: 'audio',
      content: { ptt: true, mimetype: 'audio/ogg; codecs=opus', seconds: 7 },
      media: { key: note },
    });
    expect((await send({ base64: wave, ptt: false })).status).toBe(200);
    const webm = await upload(Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'));
    await expect(send({ base64: webm, ptt: false })).rejects.toMatchObject({
      code: 'MEDIA_UNAVAILABLE',
      message: expect.stringContaining('video/webm'),
    });
  });
});
