import { describe, expect, it } from '@jest/globals';
import { eventually, severable, testDatabase } from '@messaging-gateway/testing';
import { openDatabase } from './database.ts';

const at = (url: string, port: number): string => Object.assign(new URL(url), { port: String(port) }).href;

describe('the start of a gateway in one process', () => {
  it('waits for a database that takes connections and is slow with them, and says so', async () => {
    const database = await testDatabase();
    const way = await severable(Number(new URL(database.url).port));
    way.cut();
    const lines: string[] = [];
    const log = { warn: (line: string) => void lines.push(line), info: (line: string) => void lines.push(line) };
    const databaseUrl = at(database.url, way.port);
    const opening = openDatabase({ databaseUrl, dataDirectory: '/nowhere' }, '', { log });
    const what = `PostgreSQL at ${new URL(databaseUrl).host}`;
    await eventually(async () => (lines.length > 0 ? true : undefined), 60_000);
    expect(lines).toEqual([`${what} answers slowly: the start waits for it`]);
    way.heal();
    const opened = await opening;
    expect(lines.at(-1)).toBe(`${what} answers`);
    await opened.close();
    await way.close();
    await database.drop();
  }, 120_000);

  it('ends at once when there is none', async () => {
    const url = 'postgresql://nobody@127.0.0.1:1/nothing';
    await expect(openDatabase({ databaseUrl: url, dataDirectory: '/nowhere' }, '')).rejects.toThrow(
      /^PostgreSQL at 127\.0\.0\.1:\d+ is not reached: /,
    );
  });
});
