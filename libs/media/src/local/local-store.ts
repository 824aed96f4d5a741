import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Unavailable } from '@messaging-gateway/runtime';
import { intakeOf } from '../intake.ts';
import { assertKey, assertPrefix } from '../keys.ts';
import type { MediaFacts, MediaStore } from '../store.ts';
import { factsFile, partsFolder, sync, unlessAbsent } from './files.ts';
import { tidyFiles } from './tidying.ts';

/** Facts that are written beside the bytes. */
type Kept = Omit<MediaFacts, 'size'> & { readonly sha256: string };

/**
 * Media as files below a folder, which is made when it is first needed. Bytes and what is known of them are written
 * elsewhere, forced to the disk, and renamed into their place, the bytes last: only then is the object there.
 */
export function localMediaStore(directory: string): MediaStore {
  const pathOf = (key: string): string => {
    assertKey(key);
    return join(directory, key);
  };
  return {
    put: async (key, source, options = {}) => {
      const path = pathOf(key);
      const draft = join(directory, partsFolder, randomUUID());
      const intake = await intakeOf(source, options);
      try {
        await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
        await pipeline(intake.stream, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
        const { size, sha256 } = intake.measured();
        const { mimetype } = intake;
        const { filename } = options;
        await writeFacts(`${draft}.json`, { mimetype, sha256, ...(filename !== undefined && { filename }) });
        await putInPlace(draft, path);
        return { key, size, mimetype, sha256 };
      } catch (error) {
        await Promise.all([rm(draft, { force: true }), rm(`${draft}.json`, { force: true })]);
        throw intake.fault() ?? writeFault(error);
      }
    },
    get: async (key, range) => {
      const file = await unlessAbsent(open(pathOf(key)));
      if (file === undefined) return undefined;
      try {
        const [{ size }, facts] = await Promise.all([file.stat(), readFacts(pathOf(key))]);
        if (facts !== undefined) return { size, ...facts, stream: file.createReadStream(range) };
        await file.close(); // deleted just now
        return undefined;
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    facts: async (key) => {
      const path = pathOf(key);
      const [found, facts] = await Promise.all([unlessAbsent(stat(path)), readFacts(path)]);
      return found && facts && { size: found.size, ...facts };
    },
    delete: async (key) => {
      const path = pathOf(key);
      await rm(path, { force: true });
      await rm(factsFile(path), { force: true });
    },
    deleteAll: async (prefix) => {
      assertPrefix(prefix);
      await rm(join(directory, prefix), { recursive: true, force: true });
    },
    tidy: (before) => tidyFiles(directory, before),
    close: async () => undefined,
  };
}

/** A disk that is full or may not be written to is for the operator to mend: work is tried again. */
const mendable = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'EIO']);

function writeFault(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return mendable.has(code) ? new Unavailable(`Media cannot be written (${message}).`, { cause: error }) : error;
}

async function putInPlace(draft: string, path: string): Promise<void> {
  const folder = dirname(path);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  await rename(`${draft}.json`, factsFile(path));
  await rename(draft, path);
  await sync(folder);
  if (made !== undefined) for (const above of [dirname(folder), dirname(dirname(folder))]) await sync(above);
}

async function writeFacts(path: string, facts: Kept): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify(facts));
    await file.sync();
  } finally {
    await file.close();
  }
}

async function readFacts(path: string): Promise<Omit<MediaFacts, 'size'> | undefined> {
  const text = await unlessAbsent(readFile(factsFile(path), 'utf8'));
  if (text === undefined) return undefined;
  const { mimetype, filename } = JSON.parse(text) as Kept;
  return { mimetype, ...(filename !== undefined && { filename }) };
}
