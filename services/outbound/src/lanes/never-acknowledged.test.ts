import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ViewSql } from '@messaging-gateway/event-sourcing';
import { messageStream } from '../message/message.ts';
import { laterTest, type LaterTest } from '../testing/later-test.ts';

let test: LaterTest;
beforeAll(async () => void (test = await laterTest({ durableSend: true })));
afterAll(() => test.stop());

const minute = 60_000;

describe('a message that the network never acknowledges', () => {
  it('is sent again ten times, farther and farther apart, then only asked for, and its chat goes on', async () => {
    const profile = await test.profile();
    const { network, service } = test;
    const { profileId } = profile;
    const times = (text: string): number[] =>
      network.times.filter((_, index) => {
        const handed = network.handed[index];
        return handed?.profileId === profileId && JSON.stringify(handed.content).includes(text);
      });
    network.behaves = ({ content }) => (JSON.stringify(content).includes('lost') ? 'lose' : undefined);
    const { messageId } = (await profile.send('lost')).body as { messageId: string };
    await test.passUntil(() => times('lost').length === 1, 10);
    const since = service.clock.now();
    await profile.send('behind');
    await test.passUntil(() => times('behind').length === 1, 5000);
    expect(service.clock.now() - since).toBeGreaterThanOrEqual(10 * minute - 5000);
    expect(service.clock.now() - since).toBeLessThan(15 * minute);
    await test.passUntil(() => times('lost').length === 11, minute);
    const end = service.clock.now() + 24 * 60 * minute;
    await test.passUntil(() => service.clock.now() > end, 10 * minute);
    const sent = times('lost');
    expect(sent).toHaveLength(11);
    expect((sent[10] ?? 0) - (sent[9] ?? 0)).toBeGreaterThan(10 * minute);
    const query: ViewSql['query'] = (text, values) => service.sql.query(text.replace('{schema}.', ''), values);
    expect(await messageStream.stillOpen?.({ query }, [messageId, profileId])).toEqual([messageId]);
    // It came after all: who asks is told.
    for (const id of network.records.keys()) network.records.set(id, 'acknowledged');
    const left = async () => (await service.sql.query('SELECT 1 FROM queue WHERE profile_id = $1', [profileId])).length;
    await test.passUntil(async () => (await left()) === 0, 10 * minute);
    expect(times('lost')).toHaveLength(11);
  });
});
