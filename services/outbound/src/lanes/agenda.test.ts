import { describe, expect, it } from '@jest/globals';
import { type LaneSight, type OpenMessage, agenda, failures } from './agenda.ts';

const now = 1_000_000;
const hour = 3_600_000;
const entry = (messageId: string, fields: Partial<OpenMessage> = {}): OpenMessage => ({
  messageId,
  conversationId: `chat of ${messageId}`,
  mode: 'durable',
  acceptedAt: now,
  phase: 'waiting',
  attempts: 0,
  settlements: 0,
  ...fields,
});
const live = (messageId: string, fields: Partial<OpenMessage> = {}) =>
  entry(messageId, { mode: 'synchronous', turnBy: now + 60_000, ...fields });
const see = (entries: OpenMessage[], sight: Partial<LaneSight> = {}): LaneSight => ({
  now,
  entries,
  gateOpensAt: 0,
  connection: 'connected',
  lookAgainAt: now + 30_000,
  closed: false,
  overLimit: false,
  timeToLive: 72 * hour,
  ...sight,
});

describe('the agenda of a lane', () => {
  const [one, two] = [entry('one'), entry('two')];

  it('is empty without messages', () => expect(agenda(see([]))).toEqual({ givenUp: [] }));
  it('delivers the oldest first', () => expect(agenda(see([one, two])).next).toEqual({ do: 'deliver', entry: one }));
  it('waits for the gate to open', () =>
    expect(agenda(see([one], { gateOpensAt: now + 500 }))).toEqual({ givenUp: [], wakeAt: now + 500 }));

  it('lets changes of messages through a shut gate and over the limit, in the order of their chat', () => {
    const change = entry('change', { isChange: true });
    const shut = { gateOpensAt: now + 500 };
    expect(agenda(see([one, change], shut)).next).toEqual({ do: 'deliver', entry: change });
    expect(agenda(see([change], { overLimit: true }))).toMatchObject({ givenUp: [], next: { entry: change } });
    expect(agenda(see([one, change])).next).toEqual({ do: 'deliver', entry: one });
    const behind = entry('behind', { isChange: true, conversationId: one.conversationId });
    expect(agenda(see([one, behind], shut))).toEqual({ givenUp: [], wakeAt: now + 500 });
  });

  it('lets a waiting retry hold up its own chat only', () => {
    const retry = entry('retry', { conversationId: 'a', dueAt: now + 1000 });
    const behind = entry('behind', { conversationId: 'a' });
    const other = entry('other', { conversationId: 'b' });
    expect(agenda(see([retry, behind, other])).next).toEqual({ do: 'deliver', entry: other });
    expect(agenda(see([retry, behind]))).toMatchObject({ givenUp: [], wakeAt: now + 1000 });
    expect(agenda(see([retry, behind], { now: now + 1000 })).next).toEqual({ do: 'deliver', entry: retry });
  });

  it('does nothing with a message that rests, which holds up its own chat only, and is looked at again', () => {
    const rest = { errors: 1, until: now + 1000 };
    const [resting, behind] = [live('resting', { conversationId: 'a', turnBy: now, rest }), entry('behind')];
    const sameChat = entry('same chat', { conversationId: 'a' });
    expect(agenda(see([resting, sameChat]))).toEqual({ givenUp: [], wakeAt: now + 1000 });
    expect(agenda(see([resting, sameChat, behind])).next).toEqual({ do: 'deliver', entry: behind });
    expect(agenda(see([resting], { closed: true }))).toEqual({ givenUp: [], wakeAt: now + 1000 });
    expect(agenda(see([resting], { now: now + 1000 })).givenUp).toEqual([
      { entry: resting, failure: failures.withdrawn },
    ]);
    const unsettled = entry('unsettled', { phase: 'unsettled', rest });
    expect(agenda(see([unsettled, behind]))).toEqual({ givenUp: [], wakeAt: now + 1000 });
    expect(agenda(see([unsettled, behind], { now: now + 1000 })).next).toEqual({ do: 'ask', entry: unsettled });
  });

  it('settles what may have left before anything else', () => {
    const unsettled = entry('unsettled', { phase: 'unsettled' });
    expect(agenda(see([one, unsettled])).next).toEqual({ do: 'ask', entry: unsettled });
    expect(
      agenda(see([one, entry('later', { phase: 'unsettled', dueAt: now + 2000, settlements: 1 })])).next,
    ).toBeUndefined();
    const repeat = entry('repeat', { phase: 'repeat' });
    expect(agenda(see([one, repeat])).next).toEqual({ do: 'deliver', entry: repeat });
    expect(agenda(see([repeat], { gateOpensAt: now + 1 })).next).toBeUndefined();
  });

  it('lets other chats go on when settling has failed often, and gives it up after the time to live', () => {
    const elsewhere = { conversationId: 'another chat' };
    const stubborn = entry('stubborn', { phase: 'unsettled', settlements: 3, dueAt: now + 30_000, ...elsewhere });
    const behind = entry('behind', elsewhere);
    expect(agenda(see([stubborn, behind])).next).toBeUndefined();
    expect(agenda(see([stubborn, behind, one])).next).toEqual({ do: 'deliver', entry: one });
    expect(agenda(see([behind, stubborn])).next).toEqual({ do: 'deliver', entry: behind });
    expect(agenda(see([stubborn, one])).next).toEqual({ do: 'deliver', entry: one });
    expect(agenda(see([stubborn, one], { now: now + 30_000 })).next).toEqual({ do: 'ask', entry: stubborn });
    expect(agenda(see([stubborn], { now: now + 72 * hour })).next).toEqual({ do: 'abandon', entry: stubborn });
  });

  it('lets the chat of an unsettled message go on after ten minutes', () => {
    const chat = { conversationId: 'a chat' };
    const stubborn = entry('stubborn', {
      phase: 'unsettled',
      settlements: 5,
      dueAt: now + hour,
      unsettledSince: now,
      ...chat,
    });
    const behind = entry('behind', chat);
    expect(agenda(see([stubborn, behind]))).toEqual({ givenUp: [], wakeAt: now + 600_000 });
    expect(agenda(see([stubborn, behind], { now: now + 600_000 })).next).toEqual({ do: 'deliver', entry: behind });
  });

  it('asks without a connection, and delivers only with one', () => {
    const disconnected = { connection: 'disconnected' } as const;
    const unsettled = entry('unsettled', { phase: 'unsettled' });
    expect(agenda(see([unsettled], disconnected)).next).toEqual({ do: 'ask', entry: unsettled });
    expect(agenda(see([one], disconnected))).toEqual({ givenUp: [], wakeAt: now + 30_000 });
    expect(agenda(see([entry('repeat', { phase: 'repeat' })], disconnected)).next).toBeUndefined();
    const sync = live('sync');
    expect(agenda(see([one, sync], disconnected)).givenUp).toEqual([{ entry: sync, failure: failures.disconnected }]);
  });

  it('withdraws a synchronous message whose turn has not come, wherever it stands', () => {
    const late = live('late', { turnBy: now });
    expect(agenda(see([one, late], { gateOpensAt: now + 1 })).givenUp).toEqual([
      { entry: late, failure: failures.withdrawn },
    ]);
    expect(agenda(see([live('soon', { turnBy: now + 10 })], { gateOpensAt: now + 1000 })).wakeAt).toBe(now + 10);
    expect(agenda(see([live('left', { turnBy: now, phase: 'repeat' })])).givenUp).toEqual([]);
  });

  it('lets a queued message expire', () => {
    expect(agenda(see([one], { now: now + 72 * hour })).givenUp).toEqual([{ entry: one, failure: failures.expired }]);
    expect(agenda(see([one], { connection: 'disconnected', lookAgainAt: now + 100 * hour })).wakeAt).toBe(
      now + 72 * hour,
    );
  });

  it('fails what is over a limit that was lowered, one by one', () => {
    expect(agenda(see([one, two], { overLimit: true }))).toEqual({
      givenUp: [{ entry: one, failure: failures.overLimit }],
      wakeAt: now,
    });
    const repeat = entry('repeat', { phase: 'repeat' });
    expect(agenda(see([repeat], { overLimit: true })).next).toEqual({ do: 'deliver', entry: repeat });
  });

  it('ends everything when the profile is deleted', () => {
    const unsettled = entry('unsettled', { phase: 'unsettled' });
    expect(agenda(see([one, unsettled, two], { closed: true }))).toMatchObject({
      givenUp: [
        { entry: one, failure: failures.deleted },
        { entry: two, failure: failures.deleted },
      ],
      next: { do: 'abandon', entry: unsettled },
    });
  });
});
