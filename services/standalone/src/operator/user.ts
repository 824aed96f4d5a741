import { makeOwner, resetPassword } from '@messaging-gateway/identity';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { Usage, withDatabase, type Said, type Verb } from './verb.ts';
import { withIdentityJournal } from './service-journal.ts';

type Journal = Parameters<typeof resetPassword>[0];

const acts: Readonly<Record<string, (journal: Journal, email: string) => Promise<Said>>> = {
  'reset-password': async (journal, email) => {
    const password = await resetPassword(journal, email);
    if (password === undefined) throw new Error('Nobody has this address.');
    return {
      data: { temporaryPassword: password },
      lines: [
        `Temporary password: ${password}`,
        'All sessions of the user have ended. It must be changed at the next login.',
      ],
    };
  },
  'make-owner': async (journal, email) => {
    if (!(await makeOwner(journal, email))) throw new Error('Nobody has this address.');
    return { data: { owner: true }, lines: ['The user is Owner of the organization now.'] };
  },
};

export const user: Verb = {
  summary: 'Gives a user a temporary password, or makes one Owner of an organization that a restore left without',
  usage: ['user reset-password <email>', 'user make-owner <email>'],
  run: async ({ args: [act = '', email, ...rest] }) => {
    const carryOut = Object.hasOwn(acts, act) ? acts[act] : undefined;
    if (carryOut === undefined || email === undefined || rest.length > 0)
      throw new Usage('user needs reset-password or make-owner, and an e-mail address.');
    return withDatabase('beside', (place) =>
      withIdentityJournal(place, (journal) => carryOut({ ...journal, clock: systemClock, log: silentLogger }, email)),
    );
  },
};
