import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith, testDatabase, testS3, type TestDatabase } from '@messaging-gateway/testing';

const program = fileURLToPath(new URL('../src/operator/main.ts', import.meta.url));

describeWith('s3', 'backups in the object store', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'stored-backups-'));
  let from: TestDatabase;
  let store: Record<string, string>;
  const dataOf = (url: string) => ({
    DATABASE_URL: url,
    ENCRYPTION_KEY: 'k'.repeat(16) + '0123456789abcdef',
    DATA_DIR: join(scratch, 'data'),
  });
  const run = (url: string, ...words: string[]): Promise<{ code: number; said: string; complaint: string }> =>
    new Promise((resolve) => {
      const env = { PATH: process.env['PATH'] ?? '', ...dataOf(url), ...store };
      execFile(process.execPath, [program, ...words], { env }, (error, said, complaint) =>
        resolve({ code: Number(error?.code ?? 0), said, complaint }),
      );
    });
  const names = async (): Promise<string[]> =>
    (JSON.parse((await run(from.url, 'backups', '--json')).said) as { name: string }[]).map(({ name }) => name);

  beforeAll(async () => {
    from = await testDatabase();
    const { endpoint, accessKey, secretKey, bucket } = await testS3();
    const { hostname, port } = new URL(endpoint);
    store = {
      OBJECT_STORE_ENDPOINT: hostname,
      OBJECT_STORE_PORT: port,
      OBJECT_STORE_USE_SSL: 'false',
      OBJECT_STORE_ACCESS_KEY: accessKey,
      OBJECT_STORE_SECRET_KEY: secretKey,
      OBJECT_STORE_BUCKET: bucket,
    };
    expect((await run(from.url, 'migrate')).code).toBe(0);
  });
  afterAll(async () => {
    await from.drop();
    rmSync(scratch, { recursive: true, force: true });
  });

  it('are stored, the newest kept, listed, and restored from', async () => {
    const keep = ['backup', '--to-store', '--keep', '2', '--scratch', scratch];
    for (let times = 0; times < 3; times += 1) expect(await run(from.url, ...keep)).toMatchObject({ code: 0 });
    const there = await names();
    expect(there).toHaveLength(2);
    expect(there).toEqual(there.toSorted().toReversed());
    expect(readdirSync(scratch).filter((name) => name.endsWith('.backup'))).toEqual([]);

    const to = await testDatabase();
    const restored = await run(to.url, 'restore', '--from-store', 'latest', '--scratch', scratch);
    expect(restored).toMatchObject({ code: 0, said: expect.stringMatching(/^Restored \d+ rows/) });
    const again = await run(to.url, 'restore', '--from-store', there[1] ?? '', '--scratch', scratch);
    expect(again).toMatchObject({ code: 1, complaint: expect.stringContaining('into an empty database') });
    await to.drop();
  });

  it('say what is wrong', async () => {
    const lost = await run(from.url, 'restore', '--from-store', 'lost.backup');
    expect(lost).toMatchObject({ code: 1, complaint: expect.stringContaining('there is no backup lost.backup') });
    expect(await run(from.url, 'backup', '--to-store', '--keep', '0')).toMatchObject({ code: 2 });
    expect(await run(from.url, 'backup', '--to-store', 'file')).toMatchObject({ code: 2 });
    store = { ...store, OBJECT_STORE_SECRET_KEY: 'wrong-secret' };
    expect(await run(from.url, 'backup', '--to-store')).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('The object store does not do its work'),
    });
    store = {};
    expect(await run(from.url, 'backups')).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('There is no object store'),
    });
  });
});
