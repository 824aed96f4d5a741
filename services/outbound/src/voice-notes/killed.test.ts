import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SendAudio, mediaKey } from '@messaging-gateway/contracts';
import { sourceOf, wav } from '@messaging-gateway/media/testing';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { eventually } from '../testing/eventually.ts';
import { outboundTest, recipient, type OutboundTest } from '../testing/outbound-test.ts';
import { voiceNoteSettings } from './settings.ts';
import { removeLeftWorkplaces } from './workplaces.ts';

const directory = mkdtempSync(join(tmpdir(), 'program-'));
/** Never ends by itself; each that runs leaves a file with its id. */
const program = join(directory, 'stuck');
const runs = join(directory, 'runs');
let outbound: OutboundTest;

beforeAll(async () => {
  writeFileSync(program, `#!/bin/sh\necho $$ >>${runs}\nexec sleep 600\n`);
  chmodSync(program, 0o755);
  outbound = await outboundTest({ ffmpeg: program });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const pids = (): number[] => (existsSync(runs) ? readFileSync(runs, 'utf8').trim().split('\n').map(Number) : []);
const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const send = async (caller = testCaller(), timeoutMs = 60_000) => {
  const { profileId } = await outbound.profile({ caller });
  const key = mediaKey(caller, v7());
  await outbound.service.media.put(key, sourceOf(wav(1)));
  const sent = outbound.service.call(SendAudio, {
    caller,
    body: { profileId, to: recipient, base64: key, ptt: true },
    timeoutMs,
  });
  return sent.then(
    () => 'sent',
    ({ code }: { code: string }) => code,
  );
};

describe('voice notes that are being made', () => {
  it('take turns by organization, and end with the service', async () => {
    const one = testCaller();
    const waiting = [send(one), send(one), send(one)];
    await eventually(async () => pids().length === 1);
    waiting.push(send(testCaller()));
    // One of each organization, two of all.
    await eventually(async () => pids().length === 2);
    const running = pids();
    expect(running.every(isThere)).toBe(true);
    await outbound.stop();
    expect(await Promise.all(waiting)).toEqual(Array(4).fill('SERVICE_UNAVAILABLE'));
    expect(running.some(isThere)).toBe(false);
    expect(pids()).toEqual(running);
  });

  it('leave nothing behind after a kill -9', async () => {
    const dead = spawnSync('true').pid;
    const [left, own, other] = [dead, process.pid, process.ppid].map((pid) =>
      join(directory, `voice-note-${pid}-abcdef`),
    );
    for (const path of [left, own, other]) mkdirSync(String(path));
    await removeLeftWorkplaces(directory);
    expect([left, own, other].map((path) => existsSync(String(path)))).toEqual([false, true, true]);
  });
});

describe('the program', () => {
  const { read } = voiceNoteSettings.ffmpeg;
  it('is looked for in PATH, or is the one that is named', () => {
    const named = join(directory, 'ffmpeg');
    writeFileSync(named, '');
    expect(read(undefined, { PATH: `relative::${directory}` })).toBeUndefined();
    chmodSync(named, 0o755);
    expect(read(undefined, { PATH: `relative::/nowhere:${directory}` })).toBe(named);
    expect(read(program, {})).toBe(program);
    expect(read('stuck', { PATH: directory })).toBe(program);
    expect(read('off', { PATH: directory })).toBeUndefined();
    expect(() => read('/nowhere/ffmpeg', {})).toThrow('names no program');
  });
});
