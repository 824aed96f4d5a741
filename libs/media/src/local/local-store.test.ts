import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { mediaKey } from '@messaging-gateway/contracts';
import { readSettings } from '@messaging-gateway/runtime';
import { v7 } from 'uuid';
import { openMediaStore } from '../open-media-store.ts';
import { mediaSettings } from '../settings.ts';
import { generated, png, sourceOf } from '../suites/sources.ts';
import { mediaStoreSuite } from '../suites/store.suite.ts';

async function open() {
  const directory = mkdtempSync(join(tmpdir(), 'media-'));
  const writer = readSettings(mediaSettings, { DATA_DIR: directory });
  const store = await openMediaStore(writer);
  return { directory, store, writer, close: async () => rmSync(directory, { recursive: true }) };
}

describe('media in files', () => {
  mediaStoreSuite(open);

  it('lie under DATA_DIR for the owner alone, with no draft beside them', async () => {
    const { directory, store, close } = await open();
    const key = mediaKey({ organizationId: v7() }, v7());
    await store.put(key, sourceOf(png(10)));
    await expect(store.put(key, generated(1_000_000, 500_000))).rejects.toThrow('the source broke');
    expect(statSync(join(directory, 'media', key)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(directory, 'media', '.parts'))).toEqual([]);
    await close();
  });
});
