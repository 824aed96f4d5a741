import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWith, register, startGatewayProcess, testS3, type GatewayProcess } from '@messaging-gateway/testing';

const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-media-'));
const settings = {
  NODE_ENV: 'test',
  DATA_DIR: join(directory, 'data'),
  RATE_LIMIT_GLOBAL: 'off',
  RATE_LIMIT_AUTH: 'off',
};
const bytes = randomBytes(7 * 1024 * 1024);
let token: string;

afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Uploaded {
  readonly url: string;
  readonly key: string;
  readonly size: number;
}

async function upload({ host }: GatewayProcess): Promise<Uploaded> {
  const body = new FormData();
  body.append('file', new Blob([bytes]), 'archive.bin');
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${host}/api/v1/uploads/media`, { method: 'POST', headers, body });
  expect(answer.status).toBe(201);
  return (await answer.json()) as Uploaded;
}

async function comesBack({ host }: GatewayProcess, { url }: Uploaded): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const whole = await fetch(host + url, { headers });
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
  const end = await fetch(host + url, { headers: { ...headers, range: 'bytes=-100' } });
  expect(Buffer.from(await end.arrayBuffer()).equals(bytes.subarray(-100))).toBe(true);
  expect((await fetch(host + url)).status).toBe(401);
}

describe('an installation in one process', () => {
  let gateway: GatewayProcess;
  let uploaded: Uploaded;
  beforeAll(async () => {
    gateway = await startGatewayProcess(settings);
    ({ token } = await register({
      gateway,
      network: { createPhone: async () => undefined, scan: async () => undefined },
    }));
  });
  afterAll(() => gateway.stop());

  it('keeps uploads in files under DATA_DIR, also over a kill -9', async () => {
    uploaded = await upload(gateway);
    expect(uploaded.size).toBe(bytes.length);
    await gateway.kill();
    gateway = await startGatewayProcess(settings);
    await comesBack(gateway, uploaded);
    expect(existsSync(join(settings.DATA_DIR, 'media', uploaded.key))).toBe(true);
  });

  describeWith('s3', 'with an object store', () => {
    it('keeps uploads there', async () => {
      const { endpoint, accessKey, secretKey, bucket } = await testS3();
      await gateway.stop();
      gateway = await startGatewayProcess({
        ...settings,
        OBJECT_STORE_ENDPOINT: new URL(endpoint).hostname,
        OBJECT_STORE_PORT: new URL(endpoint).port,
        OBJECT_STORE_USE_SSL: 'false',
        OBJECT_STORE_ACCESS_KEY: accessKey,
        OBJECT_STORE_SECRET_KEY: secretKey,
        OBJECT_STORE_BUCKET: bucket,
      });
      const stored = await upload(gateway);
      await comesBack(gateway, stored);
      expect(existsSync(join(settings.DATA_DIR, 'media', stored.key))).toBe(false);
      expect((await fetch(gateway.host + uploaded.url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
        404,
      );
    });
  });
});
