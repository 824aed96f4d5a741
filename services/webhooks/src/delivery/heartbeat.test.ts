import { expect, it } from '@jest/globals';
import { silentLogger } from '@messaging-gateway/runtime';
import { Heartbeat, type Beat } from './heartbeat.ts';

it('frees nothing of the living when the clock of the database jumps ahead, and what the dead had a while later', async () => {
  const other = '0198c0de-0000-7000-8000-000000000001';
  let [time, server] = [1_000, 1_800_000_000_000];
  /** When the other one was last seen, by the server's clock. */
  let seenAt = server;
  const beats: Beat[] = [];
  const query = async (text: string): Promise<unknown[]> => {
    if (text.includes('DELETE FROM dispatchers')) return [{}];
    if (text.includes('FROM outstanding')) return [];
    const gone = server - seenAt > 4_000;
    return [
      { id: heartbeat.id, gone: false, at: server },
      { id: other, gone, at: server },
    ];
  };
  const heartbeat: Heartbeat = new Heartbeat({
    sql: { query } as never,
    log: silentLogger,
    now: () => server,
    monotonic: () => time,
    onBeat: (beat) => void beats.push(beat),
  });
  const pass = async (seconds: number, isOtherThere: boolean): Promise<boolean> => {
    for (let n = 0; n < seconds; n += 1) {
      time += 1_000;
      server += 1_000;
      if (isOtherThere) seenAt = server;
      await heartbeat.beat();
    }
    return beats.splice(0).some(({ freed }) => freed);
  };
  expect(await pass(6, true)).toBe(false);
  server += 3_600_000;
  expect(await pass(1, false)).toBe(false);
  expect(await pass(6, true)).toBe(false);
  expect(await pass(8, false)).toBe(true);
});
