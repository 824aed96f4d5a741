import { createClient } from '@redis/client';

/** A key of Redis that holds a text, in its name or its value. */
export interface RedisPlace {
  readonly key: string;
  readonly text: string;
}

/** Looks for texts in all keys of a database and in what they hold, whatever their type. */
export async function searchRedis(url: string, texts: readonly string[]): Promise<RedisPlace[]> {
  const client = createClient({ url });
  await client.connect();
  try {
    const places: RedisPlace[] = [];
    for await (const keys of client.scanIterator({ COUNT: 1000 })) {
      for (const key of keys) {
        const held = `${key}\n${JSON.stringify(await valueOf(client as ReturnType<typeof createClient>, key))}`;
        for (const text of texts) if (held.includes(text)) places.push({ key, text });
      }
    }
    return places;
  } finally {
    client.destroy();
  }
}

async function valueOf(client: ReturnType<typeof createClient>, key: string): Promise<unknown> {
  switch (await client.type(key)) {
    case 'string':
      return client.get(key);
    case 'hash':
      return client.hGetAll(key);
    case 'list':
      return client.lRange(key, 0, -1);
    case 'set':
      return client.sMembers(key);
    case 'zset':
      return client.zRange(key, 0, -1);
    case 'none':
      return undefined; // it has just expired
    default:
      throw new Error(`${key} has a type that is not searched.`);
  }
}
