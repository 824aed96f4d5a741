import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readSettings } from '@messaging-gateway/runtime';
import { mediaSettings } from './settings.ts';

const store = {
  OBJECT_STORE_ENDPOINT: 's3.example.com',
  OBJECT_STORE_ACCESS_KEY: 'access',
  OBJECT_STORE_SECRET_KEY: 'secret',
  OBJECT_STORE_BUCKET: 'media',
};

describe('the settings of media', () => {
  it('name a folder below DATA_DIR when nothing is given', () => {
    expect(readSettings(mediaSettings, {}).mediaDirectory).toBe(resolve('data/media'));
    expect(readSettings(mediaSettings, { DATA_DIR: '/var/gateway' }).mediaDirectory).toBe('/var/gateway/media');
    expect(readSettings(mediaSettings, { MEDIA_DIR: '/shared' }).mediaDirectory).toBe('/shared');
  });

  it('name an object store, with TLS unless it is switched off', () => {
    expect(readSettings(mediaSettings, store)).toMatchObject({ storeEndpoint: 's3.example.com', storeTls: true });
  });

  it.each(['OBJECT_STORE_ACCESS_KEY', 'OBJECT_STORE_SECRET_KEY', 'OBJECT_STORE_BUCKET'])(
    'are at fault without %s, and with it alone',
    (variable) => {
      expect(() => readSettings(mediaSettings, { ...store, [variable]: '' })).toThrow(
        `${variable} is needed with OBJECT_STORE_ENDPOINT`,
      );
      expect(() => readSettings(mediaSettings, { [variable]: 'x' })).toThrow(`${variable} is set without`);
    },
  );

  it('take a host, not a URL', () => {
    const given = { ...store, OBJECT_STORE_ENDPOINT: 'https://s3.example.com' };
    expect(() => readSettings(mediaSettings, given)).toThrow('OBJECT_STORE_ENDPOINT must be a host name');
  });
});
