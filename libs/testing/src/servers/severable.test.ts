import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { createClient } from '@redis/client';
import { describeWith } from './available.ts';
import { severable } from './severable.ts';
import { testRedis } from './shared.ts';

describeWith('redis', 'a way to a server', () => {
  const closing: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  it('carries nothing while it is cut, and everything again once it is healed', async () => {
    const { url } = await testRedis();
    const way = await severable(Number(new URL(url).port));
    const throughWay = new URL(url);
    throughWay.port = String(way.port);
    const client = createClient({ url: throughWay.href });
    client.on('error', () => undefined);
    closing.push(() => client.destroy(), way.close);
    await client.connect();
    await client.set('before', 'yes');
    way.cut();
    const during = client.get('before').then(
      () => 'answered',
      () => 'reset',
    );
    const direct = createClient({ url });
    closing.push(() => direct.destroy());
    await direct.connect();
    expect(await direct.get('before')).toBe('yes');
    way.heal();
    expect(await during).toBe('reset');
    expect(await client.get('before')).toBe('yes');
  });

  it('takes new connections while it is cut, and leaves them silent', async () => {
    const arrived: string[] = [];
    const server = createServer((socket) => socket.on('data', (data) => arrived.push(data.toString())));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const way = await severable((server.address() as AddressInfo).port);
    closing.push(way.close, () => void server.close());
    way.cut();
    const { connect } = await import('node:net');
    const socket = connect(way.port, '127.0.0.1', () => socket.write('lost'));
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('ready', resolve));
    way.heal();
    await ended;
    expect(arrived).toEqual([]);
  });
});
