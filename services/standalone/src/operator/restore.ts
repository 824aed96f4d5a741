import { resolve } from 'node:path';
import { NoKey, restoreDatabase, verifyBackup } from '@messaging-gateway/backup';
import { WrongKey } from '@messaging-gateway/event-sourcing';
import { eraseUsersAgain } from '@messaging-gateway/identity';
import { encryptionKeys } from '@messaging-gateway/runtime';
import { adopt } from './adopt.ts';
import { readGivenKey } from './command-settings.ts';
import { findBackup, scratchOption, withStore } from './stored-backups.ts';
import { note, Usage, withDatabase, type Given, type Place, type Said, type Verb } from './verb.ts';
import { erasedSubjects, loggedErasures } from './erasures.ts';
import { withIdentityJournal } from './service-journal.ts';
import { rebuildViewsOf } from './rebuild.ts';
import { storages } from '../services.ts';
import { openToldBefore } from './told-before.ts';

export const restore: Verb = {
  summary: 'Restores a backup into an empty database; --adopt: takes over one that was brought by other means',
  usage: ['restore <file>', 'restore --from-store <name, or latest> [--scratch <folder>]', 'restore --adopt'],
  options: { adopt: { type: 'boolean' }, 'from-store': { type: 'string' }, ...scratchOption },
  run: async ({ args, flags }) => {
    const isAdopting = flags['adopt'] === true;
    const stored = flags['from-store'];
    if (typeof stored === 'string') {
      if (args.length > 0 || isAdopting) throw new Usage('restore --from-store takes no file, and not --adopt.');
      return restoreStored(stored, flags);
    }
    const [file, ...rest] = args;
    if (rest.length > 0 || (file === undefined) !== isAdopting)
      throw new Usage('restore needs the name of one file, or --adopt.');
    if (file !== undefined) await readThrough(file);
    return withDatabase('alone', (place) => restoreInto(place, file));
  },
};

const restoreStored = (given: string, flags: Given['flags']): Promise<Said> =>
  withStore(flags, async (store, file) => {
    const name = await findBackup(store, given);
    note(`Fetching backups/${name} from the object store …`);
    await store.fetch(name, file);
    await readThrough(file);
    return withDatabase('alone', (place) => restoreInto(place, file));
  });

async function readThrough(file: string): Promise<void> {
  const { encryption, remedy } = readGivenKey(process.env);
  await verifyBackup(resolve(file), encryption).catch((error: unknown) => {
    const message = (error as Error).message;
    const said = error instanceof NoKey || error instanceof WrongKey ? `${message} ${remedy}` : message;
    throw new Error(`Nothing was restored. ${said}`, { cause: error });
  });
}

/** @param file absent: what is there is adopted */
async function restoreInto(tools: Place, file: string | undefined): Promise<Said> {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const { encryptionKey, previousEncryptionKeys } = tools.settings;
  const erasures = await loggedErasures(tools.settings);
  const subjects = erasedSubjects(erasures);
  const told = await openToldBefore(process.env);
  if (file === undefined) {
    await rebuild(
      tools,
      await adopt(tools.databaseUrl, encryptionKeys(encryptionKey, previousEncryptionKeys), subjects),
    );
    say('The journals belong to this PostgreSQL cluster now.');
  } else {
    const { rows, at, erasedAgain } = await restoreDatabase(resolve(file), tools.databaseUrl, subjects);
    await rebuild(tools, erasedAgain);
    say(`Restored ${rows} rows of ${at}.`);
  }
  const { again, withoutOwner } = await withIdentityJournal(tools, ({ store }) => eraseUsersAgain(store, erasures));
  await told.passOver();
  await told.close();
  say(
    `${erasures.length} erasures are logged; ${again} of them were undone by this copy of the data and are carried out again when the gateway starts.`,
  );
  for (const organizationId of withoutOwner)
    say(`Organization ${organizationId} has no Owner now: npm run user -- make-owner <email of a member>`);
  return { data: { erasures: erasures.length, carriedOutAgain: again, withoutOwner }, lines };
}

async function rebuild({ databaseUrl, settings }: Place, schemas: readonly string[]): Promise<void> {
  for (const [name, { schema, inlineViews }] of Object.entries(storages))
    if (schemas.includes(schema) && inlineViews.length > 0) await rebuildViewsOf(name, databaseUrl, settings);
}
