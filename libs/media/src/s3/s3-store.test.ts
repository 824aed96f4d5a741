import { expect, it } from '@jest/globals';
import { mediaKey } from '@messaging-gateway/contracts';
import { readSettings } from '@messaging-gateway/runtime';
import { describeWith, describeWithOwn, ownS3, testS3 } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { openMediaStore } from '../open-media-store.ts';
import { mediaSettings } from '../settings.ts';
import { generated, png, sourceOf } from '../suites/sources.ts';
import { mediaStoreSuite } from '../suites/store.suite.ts';

const settingsOf = (url: string, bucket: string, secretKey: string) => {
  const { hostname, port, username } = new URL(url);
  return readSettings(mediaSettings, {
    OBJECT_STORE_ENDPOINT: hostname,
    OBJECT_STORE_PORT: port,
    OBJECT_STORE_USE_SSL: 'false',
    OBJECT_STORE_ACCESS_KEY: username,
    OBJECT_STORE_SECRET_KEY: secretKey,
    OBJECT_STORE_BUCKET: bucket,
  });
};

describeWith('s3', 'media in an object store', () => {
  mediaStoreSuite(async () => {
    const { endpoint, accessKey, secretKey, bucket } = await testS3();
    const writer = settingsOf(endpoint.replace('//', `//${accessKey}@`), bucket, secretKey);
    const store = await openMediaStore(writer);
    return { store, writer, close: () => store.close() };
  });

  it('are not to be had with a wrong key: the store counts as away', async () => {
    const { endpoint, accessKey, bucket } = await testS3();
    const store = await openMediaStore(settingsOf(endpoint.replace('//', `//${accessKey}@`), bucket, 'wrong-secret'));
    const key = mediaKey({ organizationId: v7() }, v7());
    await expect(store.put(key, sourceOf(png(10)))).rejects.toMatchObject({ name: 'Unavailable' });
    await store.close();
  });
});

describeWithOwn('s3', 'an object store that goes away', () => {
  it('is told as unavailable, and used again when it is back', async () => {
    const server = await ownS3();
    const store = await openMediaStore(settingsOf(server.url, 'media', new URL(server.url).password));
    const key = mediaKey({ organizationId: v7() }, v7());
    await store.put(key, generated(6_000_000));
    await server.kill();
    await expect(store.get(key)).rejects.toMatchObject({ name: 'Unavailable' });
    await expect(store.put(key, sourceOf(png(10)))).rejects.toMatchObject({ name: 'Unavailable' });
    await server.start();
    expect(await store.facts(key)).toMatchObject({ size: 6_000_000 });
    await store.close();
    await server.drop();
  });
});
