// `npm run user -- reset-password <email>`: a temporary password for somebody who has lost theirs.
import { resetPassword } from '@messaging-gateway/identity';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { runCommand, say } from './command.ts';
import { withIdentityJournal } from './identity-journal.ts';

const usage = 'Usage: npm run user -- reset-password <email>';

await runCommand('beside', async (tools) => {
  const [verb, email, ...rest] = tools.args;
  if (verb !== 'reset-password' || email === undefined || rest.length > 0) throw new Error(usage);
  const password = await withIdentityJournal(tools, (journal) =>
    resetPassword({ ...journal, clock: systemClock, log: silentLogger }, email),
  );
  if (password === undefined) throw new Error('Nobody has this address.');
  say(`Temporary password: ${password}`);
  say('All sessions of the user have ended. It must be changed at the next login.');
});
