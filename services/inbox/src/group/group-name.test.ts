import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { groupName } from './group-name.ts';

const given = specification(groupName);
const which = { conversationId: 'conversation', profileId: 'profile' };
const choir = { ...which, name: 'Choir', since: '2026-01-01T00:00:00.000Z' };
const board = { ...which, name: 'Board', since: '2026-01-02T00:00:00.000Z' };
const named = (data: typeof choir) => ({ type: 'GroupNamed' as const, data });
const name = (data: typeof choir) => ({ type: 'Name' as const, ...data });

describe('the name of a group', () => {
  it('is noted', () => given().when(name(choir)).then(named(choir)));
  it('is noted once', () => given(named(choir)).when(name(choir)).thenNothing());
  it('gives way to a newer one', () => given(named(choir)).when(name(board)).then(named(board)));
  it('gives way to no older one', () => given(named(board)).when(name(choir)).thenNothing());
  it('of two in one second is the later one', () => {
    const other = { ...board, since: choir.since };
    given(named(choir)).when(name(other)).then(named(other));
  });
});
