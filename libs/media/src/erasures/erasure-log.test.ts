import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readSettings } from '@messaging-gateway/runtime';
import { describeWith, testS3 } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { openMediaStore } from '../open-media-store.ts';
import { mediaSettings } from '../settings.ts';
import { openErasureLog } from './open-erasure-log.ts';

type Environment = Readonly<Record<string, string>>;

function erasureLogSuite(place: () => Promise<Environment>): void {
  const open = async () => openErasureLog(readSettings(mediaSettings, await place()));
  const erasure = (at: string) => ({ userId: v7(), organizationId: v7(), wholeOrganization: false, at });

  it('keeps who was erased, once each and oldest first, whoever writes it', async () => {
    const [one, other] = [await open(), await open()];
    expect(await one.read()).toEqual([]);
    const [early, late] = [
      { ...erasure('2026-01-01T00:00:00.000Z'), owners: [v7()] },
      erasure('2026-01-02T00:00:00.000Z'),
    ];
    await Promise.all([one.add({ ...late, wholeOrganization: true }), other.add(early)]);
    await other.add({ ...early });
    expect(await one.read()).toEqual([early, { ...late, wholeOrganization: true }]);
    await one.close();
    await other.close();
  });

  it('stays when media are tidied', async () => {
    const environment = await place();
    const media = await openMediaStore(readSettings(mediaSettings, environment));
    await media.tidy(new Date(Date.now() + 86_400_000));
    await media.close();
    const log = await open();
    expect(await log.read()).toHaveLength(2);
    await log.close();
  });
}

describe('a log of erasures in a file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'erasures-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const shared = (): Environment => ({ AMQP_URL: 'amqp://broker', MEDIA_DIR: folder });

  erasureLogSuite(async () => shared());

  it('lies with the media where there are brokers, in DATA_DIR where there are none, or where it is told to', () => {
    const { erasureLog } = readSettings(mediaSettings, shared());
    expect(erasureLog).toBe(join(folder, 'erasures', 'erasures.jsonl'));
    expect(readSettings(mediaSettings, { DATA_DIR: '/data' }).erasureLog).toBe('/data/erasures.jsonl');
    expect(readSettings(mediaSettings, { ...shared(), ERASURE_LOG: '/backup/log' }).erasureLog).toBe('/backup/log');
  });

  it('bears a line that was cut off', async () => {
    const settings = readSettings(mediaSettings, shared());
    await appendFile(settings.erasureLog ?? '', '{"userId":"0198c0de');
    const log = await openErasureLog(settings);
    const added = { userId: v7(), organizationId: v7(), wholeOrganization: true, at: '2026-01-03T00:00:00.000Z' };
    await log.add(added);
    expect((await log.read()).slice(2)).toEqual([added]);
  });
});

describeWith('s3', 'a log of erasures in an object store', () => {
  let environment: Promise<Environment> | undefined;
  erasureLogSuite(() => {
    environment ??= testS3().then(({ endpoint, accessKey, secretKey, bucket }) => {
      const { hostname, port } = new URL(endpoint);
      return {
        OBJECT_STORE_ENDPOINT: hostname,
        OBJECT_STORE_PORT: port,
        OBJECT_STORE_USE_SSL: 'false',
        OBJECT_STORE_ACCESS_KEY: accessKey,
        OBJECT_STORE_SECRET_KEY: secretKey,
        OBJECT_STORE_BUCKET: bucket,
      };
    });
    return environment;
  });
});
