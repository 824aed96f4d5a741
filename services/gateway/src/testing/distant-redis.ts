import { ownRedis, severable, type OwnServer, type Severable } from '@messaging-gateway/testing';

/** A Redis of the test's own, to kill and start, and a way to it that can be cut. */
export interface DistantRedis {
  readonly server: OwnServer;
  readonly between: Severable;
  /** Of the server, over the way that can be cut. */
  readonly distantUrl: string;
  drop(): Promise<void>;
}

export async function distantRedis(): Promise<DistantRedis> {
  const server = await ownRedis();
  const between = await severable(Number(new URL(server.url).port));
  return {
    server,
    between,
    distantUrl: server.url.replace(/:\d+/, `:${between.port}`),
    drop: async () => {
      await between.close();
      await server.drop();
    },
  };
}
