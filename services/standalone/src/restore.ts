// `npm run restore -- <file>` into an empty database; `-- --adopt` for one that was brought over by other means.
import { resolve } from 'node:path';
import { NoKey, restoreDatabase, verifyBackup, WrongKey } from '@messaging-gateway/event-sourcing';
import { eraseUsersAgain } from '@messaging-gateway/identity';
import { encryptionKeys } from '@messaging-gateway/runtime';
import { adopt } from './adopt.ts';
import { readGivenKey } from './command-settings.ts';
import { runCommand, say, type CommandTools } from './command.ts';
import { erasedSubjects, loggedErasures } from './erasures.ts';
import { withIdentityJournal } from './identity-journal.ts';
import { rebuildViewsOf } from './rebuild.ts';
import { storages } from './services.ts';
import { openToldBefore } from './told-before.ts';

await runCommand('alone', restore, async ([file]) => {
  if (file === undefined) throw new Error('Usage: npm run restore -- <file>, or npm run restore -- --adopt');
  if (file === '--adopt') return;
  const { encryption, remedy } = readGivenKey(process.env);
  await verifyBackup(resolve(file), encryption).catch((error: unknown) => {
    const message = (error as Error).message;
    const said = error instanceof NoKey || error instanceof WrongKey ? `${message} ${remedy}` : message;
    throw new Error(`Nothing was restored. ${said}`, { cause: error });
  });
});

async function restore(tools: CommandTools): Promise<void> {
  const [file = ''] = tools.args;
  const { encryptionKey, previousEncryptionKeys } = tools.settings;
  const erasures = await loggedErasures(tools.settings);
  const subjects = erasedSubjects(erasures);
  const told = await openToldBefore(process.env);
  if (file === '--adopt') {
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
}

async function rebuild({ databaseUrl, settings }: CommandTools, schemas: readonly string[]): Promise<void> {
  for (const [name, { schema, inlineViews }] of Object.entries(storages))
    if (schemas.includes(schema) && inlineViews.length > 0) await rebuildViewsOf(name, databaseUrl, settings);
}
