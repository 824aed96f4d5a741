import { describe, expect, it } from '@jest/globals';
import {
  runStream,
  stepOf,
  hasEnded,
  isKnown,
  type Run,
  type RunCommand,
  type RunEvent,
  type RunFacts,
} from './run.ts';

const { decider } = runStream;
const at = '2026-01-01T10:00:00.000Z';
const facts = (...types: string[]): RunFacts => ({
  runId: '0198c0de-0000-5000-8000-000000000001',
  profileId: '0198c0de-0000-7000-8000-000000000002',
  answererId: '0198c0de-0000-7000-8000-000000000003',
  kind: 'flow',
  conversationId: '0198c0de-0000-5000-8000-000000000004',
  chat: '4915112345678@c.us',
  messageId: '0198c0de-0000-5000-8000-000000000005',
  match: { text: 'price', groups: [] },
  actions: types.map((type) => ({ type })),
  continues: false,
  at,
});

/** The state after these commands, and the events of the last. */
function given(...commands: readonly RunCommand[]): { state: Run; last: readonly RunEvent[] } {
  let state: Run = decider.initial;
  let last: readonly RunEvent[] = [];
  for (const command of commands) {
    last = decider.decide(command, state);
    for (const event of last) state = decider.evolve(state, event);
  }
  return { state, last };
}

const start = (...types: string[]): RunCommand => ({ type: 'Start', facts: facts(...types) });
const prepare = (index: number, ...texts: string[]): RunCommand => ({
  type: 'Prepare',
  index,
  contents: texts.map((text) => ({ type: 'text', content: { text } })),
  at,
});
const release = (index: number, messageId: string): RunCommand => ({
  type: 'Release',
  index,
  messageId,
  digest: messageId,
  at,
});
const settle = (index: number, status: 'done' | 'failed' | 'refused' = 'done', more: object = {}): RunCommand => ({
  type: 'Settle',
  index,
  status,
  at,
  ...more,
});
const left = (messageId: string, status: 'sent' | 'failed' = 'sent'): RunCommand => ({
  type: 'SettleMessage',
  messageId,
  status,
  ...(status === 'failed' && { failure: { code: 'RECIPIENT_UNKNOWN', message: 'Nobody.' } }),
  at,
});
const types = (events: readonly RunEvent[]): string[] => events.map(({ type }) => type);
const endOf = (...commands: RunCommand[]) => {
  const { state } = given(...commands);
  if (!isKnown(state)) throw new Error('There is no run.');
  return { status: state.status, reason: state.reason };
};

describe('a run', () => {
  it('is begun once: the same message again changes nothing', () => {
    expect(types(given(start('send')).last)).toEqual(['RunStarted']);
    expect(given(start('send'), start('stop', 'send')).last).toEqual([]);
    const { state } = given(start('send'), start('stop', 'send'));
    expect(isKnown(state) && state.facts.actions).toEqual([{ type: 'send' }]);
  });

  it('without actions has ended at once', () => expect(types(given(start()).last)).toEqual(['RunStarted', 'RunEnded']));

  it('goes from step to step, and ends when the last is done and each message has left', () => {
    const begun = [start('send', 'add_tag'), prepare(0, 'Hello'), release(0, 'a')];
    expect(types(given(...begun, settle(0)).last)).toEqual(['StepSettled']);
    const { state, last } = given(...begun, settle(0), settle(1));
    expect(types(last)).toEqual(['StepSettled']);
    expect(isKnown(state) && stepOf(state)).toBeUndefined();
    const after = given(...begun, settle(0), settle(1), left('a'));
    expect(types(after.last)).toEqual(['RunMessageSettled', 'RunEnded']);
    expect(after.last.at(-1)?.data).toMatchObject({ status: 'completed', messageIds: ['a'] });
  });

  it('ends when its message has left before its step is written down as done', () =>
    expect(endOf(start('send'), prepare(0, 'Hello'), release(0, 'a'), left('a'), settle(0)).status).toBe('completed'));

  it.each([
    ['a message that never left', [left('a', 'failed'), settle(0), settle(1)]],
    ['a step', [left('a'), settle(0), settle(1, 'failed', { failure: { code: 'X', message: 'x' } })]],
  ])('has failed by %s, after all its steps', (_, commands) =>
    expect(endOf(start('send', 'webhook'), prepare(0, 'Hello'), release(0, 'a'), ...commands)).toEqual({
      status: 'failed',
      reason: undefined,
    }),
  );

  it('ends where a guard lets nothing through, with the reason', () => {
    const commands = [start('send', 'send'), prepare(0, 'Hello'), settle(0, 'refused', { reason: 'rate_limited' })];
    expect(types(given(...commands).last)).toEqual(['StepSettled', 'RunEnded']);
    expect(endOf(...commands)).toEqual({ status: 'refused', reason: 'rate_limited' });
  });

  it('that nobody set off by a message has failed when it is held back', () => {
    const { messageId: _, ...scheduled } = facts('send');
    const end = endOf(
      { type: 'Start', facts: scheduled },
      prepare(0, 'Hello'),
      settle(0, 'refused', { reason: 'daily_limit' }),
    );
    expect(end).toEqual({ status: 'failed', reason: 'daily_limit' });
  });

  it('stops where it is told to, and has completed', () =>
    expect(endOf(start('stop', 'send'), settle(0, 'done', { ends: true }))).toMatchObject({ status: 'completed' }));

  it('keeps what it prepared first, releases a message once, and takes no step twice', () => {
    const { state, last } = given(start('ai_reply'), prepare(0, 'One'), prepare(0, 'Two'));
    expect(last).toEqual([]);
    expect(isKnown(state) && state.steps[0]?.contents).toEqual([{ type: 'text', content: { text: 'One' } }]);
    expect(given(start('send'), release(0, 'a'), release(0, 'a')).last).toEqual([]);
    expect(given(start('send', 'send'), settle(0), settle(0)).last).toEqual([]);
    expect(given(start('send', 'send'), settle(1)).last).toEqual([]);
  });

  it('waits as often as a step asks for it', () => {
    const until = '2026-01-01T10:00:05.000Z';
    const { state } = given(start('delay'), { type: 'Postpone', index: 0, until, at });
    expect(state).toMatchObject({ status: 'waiting', steps: [{ attempt: 1, until, status: 'pending' }] });
    expect(endOf(start('delay'), { type: 'Postpone', index: 0, until, at }, settle(0)).status).toBe('completed');
  });

  it('is cancelled wherever it stands, but not when it has ended', () => {
    const cancel: RunCommand = { type: 'Cancel', reason: 'handover', at };
    expect(endOf(start('send'), cancel)).toEqual({ status: 'cancelled', reason: 'handover' });
    expect(endOf(start('send'), prepare(0, 'Hello'), release(0, 'a'), cancel, left('a'), settle(0))).toEqual({
      status: 'cancelled',
      reason: 'handover',
    });
    expect(endOf(start('stop'), settle(0), cancel).status).toBe('completed');
  });

  it('that was refused has ended', () => {
    const { state } = given({ type: 'Refuse', facts: facts('send'), reason: 'cooldown' }, start('send'));
    expect(state).toMatchObject({ status: 'refused', reason: 'cooldown' });
    expect(isKnown(state) && hasEnded(state)).toBe(true);
  });

  it('hears of no message that is not its own, and of each once', () => {
    expect(given(start('send'), left('b')).last).toEqual([]);
    expect(given(start('send'), release(0, 'a'), left('a'), left('a', 'failed')).last).toEqual([]);
  });
});
