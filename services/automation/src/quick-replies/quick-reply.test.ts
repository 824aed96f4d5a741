import { describe, expect, it } from '@jest/globals';
import { quickReplyStream, type QuickReplyCommand, type QuickReplyEvent } from './quick-reply.ts';

const at = '2026-11-24T10:00:00.000Z';
const later = '2026-11-24T11:00:00.000Z';
const fields = { id: 'a', profileId: null, shortcut: 'hi', title: 'Hello', message: 'Hello there' };
const created: QuickReplyEvent = { type: 'QuickReplyCreated', data: { ...fields, requestId: 'r', at } };

const { initial, decide, evolve } = quickReplyStream.decider;
const given = (...events: readonly QuickReplyEvent[]) => ({
  when: (command: QuickReplyCommand) => decide(command, events.reduce(evolve, initial)),
});

describe('a quick reply', () => {
  it('changes what is given, and keeps shortcut, profile and when it was made', () => {
    const updated: QuickReplyEvent = {
      type: 'QuickReplyUpdated',
      data: { ...fields, title: 'Bye', createdAt: at, at: later },
    };
    expect(given(created).when({ type: 'Update', changes: { title: 'Bye' }, at: later })).toEqual([updated]);
    expect(given(created, updated).when({ type: 'Update', changes: { title: 'Bye' }, at: later })).toEqual([]);
    expect(given(created).when({ type: 'Update', changes: {}, at: later })).toEqual([]);
  });

  it('is not changed when there is none any more', () => {
    const gone: QuickReplyEvent = { type: 'QuickReplyDeleted', data: { id: 'a', at: later } };
    const update: QuickReplyCommand = { type: 'Update', changes: { title: 'Bye' }, at: later };
    expect(() => given(created, gone).when(update)).toThrow('no such quick reply');
    expect(() => given().when(update)).toThrow('no such quick reply');
  });
});
