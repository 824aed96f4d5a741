// `npm run restore -- <file>` into an empty database; `-- --adopt` for one that was brought over by other means.
import { resolve } from 'node:path';
import { restoreDatabase } from '@messaging-gateway/event-sourcing';
import { eraseUsersAgain } from '@messaging-gateway/identity';
import { adopt } from './adopt.ts';
import { runCommand, say, type CommandTools } from './command.ts';
import { erasedSubjects, loggedErasures } from './erasures.ts';
import { withIdentityJournal } from './identity-journal.ts';
import { rebuildViewsOf } from './rebuild.ts';
import { storages } from './services.ts';
import { openToldBefore } from './told-before.ts';

await runCommand('alone', async (tools) => {
  const [file] = tools.args;
  if (file === undefined) throw new Error('Usage: npm run restore -- <file>, or npm run restore -- --adopt');
  const erasures = await loggedErasures(tools.settings);
  const subjects = erasedSubjects(erasures);
  const told = await openToldBefore(process.env);
  if (file === '--adopt') {
    await rebuild(tools, await adopt(tools.databaseUrl, subjects));
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
});

async function rebuild({ databaseUrl, settings }: CommandTools, schemas: readonly string[]): Promise<void> {
  for (const [name, { schema, inlineViews }] of Object.entries(storages))
    if (schemas.includes(schema) && inlineViews.length > 0) await rebuildViewsOf(name, databaseUrl, settings);
}
