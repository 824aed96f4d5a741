import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { textOf } from './broken-off.ts';
import { Problem } from './problem.ts';

describe('an answer that breaks off', () => {
  /** Sends half an answer; then the connection ends, or nothing more comes. */
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { 'Content-Length': '100' });
    response.write('half', () => url === '/ends' && response.destroy());
  });
  let host: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is none, and passes', async () => {
    const failure = await textOf(await fetch(`${host}/ends`)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Problem);
    expect(failure).toMatchObject({ kind: 'unreachable', passing: true });
  });

  it('is none when its time is over', async () => {
    const over = new AbortController();
    const answer = await fetch(`${host}/stalls`, { signal: over.signal });
    const text = textOf(answer, new AbortController().signal);
    over.abort();
    await expect(text).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('is no problem of whoever gave it up', async () => {
    const givenUp = new AbortController();
    const answer = await fetch(`${host}/stalls`, { signal: givenUp.signal });
    const text = textOf(answer, givenUp.signal);
    givenUp.abort();
    await expect(text).rejects.toMatchObject({ name: 'AbortError' });
  });
});
