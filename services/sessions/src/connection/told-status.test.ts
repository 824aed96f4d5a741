import { describe, expect, it } from '@jest/globals';
import { Refused } from '@messaging-gateway/messaging';
import { silentLogger } from '@messaging-gateway/runtime';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { ProfileNotes, type Note } from './told-status.ts';

const at = '2026-01-01T00:00:00.000Z';
const connected: Note = { type: 'NoteConnected', phoneNumber: '4915120000001', pushName: 'Ada', at };
const status = (to: Extract<Note, { type: 'NoteStatus' }>['status']): Note => ({ type: 'NoteStatus', status: to, at });

describe('news of a connection', () => {
  /** A database that fails until it is told otherwise. */
  const noted = () => {
    const made = { fault: undefined as Error | undefined, tries: 0, written: [] as string[] };
    const handle = async (_stream: unknown, _id: string, note: Note): Promise<void> => {
      made.tries += 1;
      if (made.fault !== undefined) throw made.fault;
      made.written.push(note.type === 'NoteStatus' ? note.status : note.type);
    };
    const store = { handle } as unknown as Pick<EventStore, 'handle'>;
    const parts = { organizationId: 'o', profileId: 'p', store, log: silentLogger, againMs: 1 };
    return { made, notes: new ProfileNotes(parts) };
  };
  const fails = async (made: { tries: number }, times: number): Promise<void> => {
    while (made.tries < times) await new Promise((resolve) => setTimeout(resolve, 1));
  };

  it.each(['25006', '57014', '53100', '40P01', '53200', '57P01', undefined])(
    'is written in the end, whatever the database says meanwhile: %s',
    async (code) => {
      const { made, notes } = noted();
      made.fault = Object.assign(new Error('Not now'), code === undefined ? {} : { code });
      const written = notes.note(connected);
      await fails(made, 3);
      made.fault = undefined;
      await written;
      expect([made.written, notes.isIdle]).toEqual([['NoteConnected'], false]);
    },
  );

  it('is replaced by what is so now, but a link that was made or lost is told', async () => {
    const { made, notes } = noted();
    made.fault = new Error('Away');
    const all = [
      notes.note(status('reconnecting')),
      notes.note(connected),
      notes.note(status('reconnecting')),
      notes.note({ type: 'NotePushName', pushName: 'Bob', at }),
      notes.note(status('logged_out')),
      notes.note(status('connecting')),
      notes.note({ type: 'NoteQr', qr: '2@a', expiresAt: at, at }),
    ];
    await fails(made, 1);
    made.fault = undefined;
    await Promise.all(all);
    expect(made.written).toEqual(['NoteConnected', 'NotePushName', 'logged_out', 'NoteQr']);
  });

  it('is of no interest once the profile is gone', async () => {
    const { made, notes } = noted();
    made.fault = new Refused('NOT_FOUND', 'There is no such profile.');
    await notes.note(connected);
    expect([made.tries, made.written]).toEqual([1, []]);
  });

  it('is left to the next holder after one more try', async () => {
    const { made, notes } = noted();
    made.fault = new Error('Away');
    const waiting = Promise.all([notes.note(connected), notes.note(status('reconnecting'))]);
    await fails(made, 2);
    notes.leave();
    await waiting;
    expect(made.written).toEqual([]);
  });
});
