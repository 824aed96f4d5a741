import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mediaSettings } from '@messaging-gateway/media';
import { openBackupStore, type BackupStore } from '@messaging-gateway/media/backups';
import { readSettings } from '@messaging-gateway/runtime';
import { Usage, type Given } from './verb.ts';

/** Options of the verbs that copy to the object store and from there. */
export const scratchOption = { scratch: { type: 'string' } } as const;

/** Works with the backups in the object store; a file on the way lies in a folder for it, and is taken away. */
export async function withStore<T>(
  flags: Given['flags'],
  work: (store: BackupStore, file: string) => Promise<T>,
): Promise<T> {
  const store = openBackupStore(readSettings(mediaSettings, process.env));
  const file = join(typeof flags['scratch'] === 'string' ? flags['scratch'] : tmpdir(), `${randomUUID()}.backup`);
  try {
    return await work(store, file);
  } finally {
    await rm(file, { force: true });
    store.close();
  }
}

/** Names sort as their times do. */
export const nameOfBackup = (now: Date): string => `${now.toISOString().replaceAll(':', '-')}.backup`;

/** How many backups are kept. @throws Usage */
export function keptBackups(flags: Given['flags']): number | undefined {
  if (flags['keep'] === undefined) return undefined;
  const kept = Number(flags['keep']);
  if (!Number.isSafeInteger(kept) || kept < 1) throw new Usage('--keep takes a whole number, at least 1.');
  return kept;
}

/** Takes away all but the newest ones. @returns their names */
export async function keepNewest(store: BackupStore, kept: number): Promise<string[]> {
  const old = (await store.list()).slice(kept).map(({ name }) => name);
  for (const name of old) await store.delete(name);
  return old;
}

/** The name of a backup that is there; `latest` is the newest. @throws Error when there is none */
export async function findBackup(store: BackupStore, given: string): Promise<string> {
  const there = await store.list();
  const found = given === 'latest' ? there[0] : there.find(({ name }) => name === given);
  if (found === undefined)
    throw new Error(
      there.length === 0
        ? 'Nothing was restored: there are no backups in the object store.'
        : `Nothing was restored: there is no backup ${given} in the object store; the newest is ${there[0]?.name}.`,
    );
  return found.name;
}
