import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openRedis, type Redis } from '@messaging-gateway/redis';
import { silentLogger } from '@messaging-gateway/runtime';
import { describeWithOwn, eventually, ownRedis, type OwnServer } from '@messaging-gateway/testing';
import { handledOverRedis, type HandledOverRedis } from './handled-over-redis.ts';

describeWithOwn('redis', 'an event that replicas have handled', () => {
  let server: OwnServer;
  const opened: { readonly redis: Redis; readonly handled: HandledOverRedis; readonly heard: string[] }[] = [];
  const open = () => {
    const redis = openRedis({ url: server.url, log: silentLogger });
    const handled = handledOverRedis(redis, 'inbox', silentLogger);
    const heard: string[] = [];
    handled.onHeard((id) => void heard.push(id));
    const one = { redis, handled, heard };
    opened.push(one);
    return one;
  };
  /** Tells until it is heard: a channel keeps nothing for those who come later. */
  const reaches = async (from: HandledOverRedis, heard: readonly string[], id: string): Promise<void> => {
    await eventually(async () => {
      from.tell(id);
      return heard.includes(id) ? true : undefined;
    });
  };
  beforeAll(async () => {
    server = await ownRedis();
  });
  afterAll(async () => {
    for (const { handled, redis } of opened) {
      await handled.close();
      await redis.close();
    }
    await server?.stop();
  });

  it('is heard by the others, not by themselves, and not by other services', async () => {
    const [one, two] = [open(), open()];
    const elsewhere = handledOverRedis(one.redis, 'webhooks', silentLogger);
    const foreign: string[] = [];
    elsewhere.onHeard((id) => void foreign.push(id));
    await reaches(one.handled, two.heard, 'first');
    const told = Array.from({ length: 200 }, (_, n) => `event-${n}`);
    await eventually(async () => {
      for (const id of told) if (!two.heard.includes(id)) one.handled.tell(id);
      await new Promise((resolve) => setTimeout(resolve, 500));
      return told.every((id) => two.heard.includes(id)) ? true : undefined;
    });
    await reaches(two.handled, one.heard, 'back');
    expect(one.heard.filter((id) => id.startsWith('event'))).toEqual([]);
    expect(foreign).toEqual([]);
    await elsewhere.close();
  });

  it('is heard again after Redis was away', async () => {
    const [one, two] = opened;
    await server.kill();
    one?.handled.tell('lost');
    await server.start();
    if (one !== undefined && two !== undefined) await reaches(one.handled, two.heard, 'after');
    expect(two?.heard).toContain('after');
  });

  it('may come up before Redis does', async () => {
    await server.kill();
    const [early, late] = [open(), open()];
    await server.start();
    await reaches(early.handled, late.heard, 'early');
    expect(late.heard).toContain('early');
  });
});
