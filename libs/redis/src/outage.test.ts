import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { Unavailable, silentLogger } from '@messaging-gateway/runtime';
import { describeWithOwn, ownRedis, severable, type OwnServer } from '@messaging-gateway/testing';
import { openRedis, type Redis } from './open-redis.ts';
import { connected } from './testing/connected.ts';

const long = 600_000;
/** How long a command waits for a busy server, milliseconds. */
const commandTimeoutMs = 5_000;

describeWithOwn('redis', 'Redis that goes away', () => {
  const opened: (Redis | OwnServer)[] = [];
  const open = (url: string): Redis => {
    const redis = openRedis({ url, log: silentLogger, commandTimeoutMs });
    opened.push(redis);
    return redis;
  };
  const server = async (): Promise<OwnServer> => {
    const own = await ownRedis();
    opened.push(own);
    return own;
  };
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await ('close' in one ? one.close() : one.drop());
  });

  it('by kill -9 costs no command more than a refusal, and comes back by itself', async () => {
    const own = await server();
    const redis = open(own.url);
    await connected(redis);
    await redis.cache.set('kept', 'x', long);
    const before = redis.cache.incarnation();
    await own.kill();
    const refused = await Promise.allSettled(Array.from({ length: 200 }, () => redis.cache.get('kept')));
    expect(refused.every(({ status }) => status === 'rejected')).toBe(true);
    await connected(redis, 'away');
    expect(redis.cache.incarnation()).toBeUndefined();
    await expect(redis.cache.getMany(['kept', 'other'])).rejects.toBeInstanceOf(Unavailable);
    await expect(redis.cache.set('late', 'x', long)).rejects.toBeInstanceOf(Unavailable);
    await own.start();
    await connected(redis);
    // What was refused is not carried out later, and the server is known to be in another life.
    expect(await redis.cache.get('late')).toBeUndefined();
    expect(redis.cache.incarnation()).not.toBe(before);
  });

  it('may come up later than its clients', async () => {
    const own = await server();
    await own.stop();
    const redis = open(own.url);
    await expect(redis.cache.get('x')).rejects.toBeInstanceOf(Unavailable);
    await wait(300);
    await own.start();
    await connected(redis);
    await redis.cache.set('x', 'y', long);
    expect(await redis.cache.get('x')).toBe('y');
  });

  it('behind a severed connection lets one command wait for its timeout, refuses the others, and is the same after', async () => {
    const own = await server();
    const between = await severable(Number(new URL(own.url).port));
    const redis = open(own.url.replace(/:\d+/, `:${between.port}`));
    await connected(redis);
    const [key, before] = [randomUUID(), redis.cache.incarnation()];
    await redis.cache.set(key, 'x', long);
    between.cut();
    await expect(redis.cache.get(key)).rejects.toBeInstanceOf(Unavailable);
    await connected(redis, 'away');
    let refused = 0;
    for (let count = 0; count < 1000; count++) redis.cache.get(key).catch(() => (refused += 1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(refused).toBe(1000); // none of them waited
    between.heal();
    await connected(redis);
    expect([await redis.cache.get(key), redis.cache.incarnation()]).toEqual(['x', before]);
    await between.close();
  });

  it('asks for a password, and a wrong one is a fault that time may mend', async () => {
    const own = await server();
    const admin = open(own.url);
    await connected(admin);
    await admin.send(['CONFIG', 'SET', 'requirepass', 'right']);
    const withPassword = (password: string): string => own.url.replace('redis://', `redis://:${password}@`);
    const [wrong, right] = [open(withPassword('wrong')), open(withPassword('right'))];
    await connected(right);
    expect(await right.cache.get('x')).toBeUndefined();
    await expect(wrong.cache.get('x')).rejects.toBeInstanceOf(Unavailable);
    await right.send(['CONFIG', 'SET', 'requirepass', 'wrong']);
    await connected(wrong);
    await wrong.send(['CONFIG', 'SET', 'requirepass', '']);
  });

  it('does not tell its life to everybody: then each connection is one of its own', async () => {
    const own = await server();
    const admin = open(own.url);
    await connected(admin);
    await admin.send(['ACL', 'SETUSER', 'app', 'on', '>secret', '~*', '+@all', '-info']);
    const url = own.url.replace('redis://', 'redis://app:secret@');
    const [one, other] = [open(url), open(url)];
    await Promise.all([connected(one), connected(other)]);
    expect(one.cache.incarnation()).not.toBe(other.cache.incarnation());
  });
});
