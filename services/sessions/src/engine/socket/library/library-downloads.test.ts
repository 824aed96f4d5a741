import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { libraryDownloads } from './library-downloads.ts';

const half = Buffer.alloc(300_000, 7);

describe('a download of the library', () => {
  let server: Server;
  let address: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      response.writeHead(200, { 'content-length': String(half.length * 2) });
      response.write(half);
      if (request.url === '/breaks') setTimeout(() => response.destroy(), 50);
      else response.end(half);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** As the library does: without a listener for errors of the body. */
  const fetched = async (url: string, isReal: boolean, limit?: number): Promise<Buffer> => {
    const dispatcher = libraryDownloads(undefined, isReal, limit);
    const response = await fetch(url, { dispatcher } as unknown as RequestInit);
    return buffer(Readable.fromWeb(response.body as never));
  };

  it('comes whole, many times over', async () => {
    for (let time = 0; time < 3; time += 1) expect(await fetched(`${address}/whole`, false)).toHaveLength(600_000);
  });

  it('fails when the connection breaks before its end, and when it is too large', async () => {
    await expect(fetched(`${address}/breaks`, false)).rejects.toThrow('fetch failed');
    await expect(fetched(`${address}/whole`, false, 400_000)).rejects.toThrow('fetch failed');
  });

  it('is not asked of the real network on behalf of another', async () => {
    await expect(fetched('https://mmg.whatsapp.net/history', false)).rejects.toMatchObject({
      cause: { message: 'mmg.whatsapp.net is no host of this network.' },
    });
  });
});
