// `npm run user -- reset-password <email>`: a temporary password for somebody who has lost theirs.
// `npm run user -- make-owner <email>`: an Owner for an organization that a restore has left without one.
import { makeOwner, resetPassword } from '@messaging-gateway/identity';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { runCommand, say } from './command.ts';
import { withIdentityJournal } from './identity-journal.ts';

const usage = 'Usage: npm run user -- reset-password <email>, or npm run user -- make-owner <email>';
type Journal = Parameters<typeof resetPassword>[0];

/** The verbs of the command. @throws Error with a line for the operator */
const verbs: Readonly<Record<string, (journal: Journal, email: string) => Promise<void>>> = {
  'reset-password': async (journal, email) => {
    const password = await resetPassword(journal, email);
    if (password === undefined) throw new Error('Nobody has this address.');
    say(`Temporary password: ${password}`);
    say('All sessions of the user have ended. It must be changed at the next login.');
  },
  'make-owner': async (journal, email) => {
    if (!(await makeOwner(journal, email))) throw new Error('Nobody has this address.');
    say('The user is Owner of the organization now.');
  },
};

await runCommand('beside', async (tools) => {
  const [verb = '', email, ...rest] = tools.args;
  const carryOut = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (carryOut === undefined || email === undefined || rest.length > 0) throw new Error(usage);
  await withIdentityJournal(tools, (journal) => carryOut({ ...journal, clock: systemClock, log: silentLogger }, email));
});
