import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { journalContents, unreadableBefore, type JournalContents } from './journal.ts';
import { readFirst } from './read-first.ts';

const released = JSON.parse(readFileSync(new URL('./journal.json', import.meta.url), 'utf8')) as JournalContents;

describe('events in journals', () => {
  it('of the last release can be read', () => {
    const now = journalContents();
    expect(unreadableBefore(now, released)).toEqual([]);
    for (const [schema, streams] of Object.entries(released))
      for (const [stream, events] of Object.entries(streams))
        expect(Object.keys(now[schema]?.[stream] ?? {})).toEqual(expect.arrayContaining(Object.keys(events)));
  });

  it('that it cannot read are read first, and written one version later, or with a reason', () => {
    const found = unreadableBefore(released, journalContents());
    expect(found.filter((event) => !(event in readFirst))).toEqual([]);
    expect(Object.keys(readFirst).filter((event) => !found.includes(event))).toEqual([]);
  });

  it('are new by their type or by their version, in a stream that there was', () => {
    const before = { inbox: { message: { Stored: 1 } } };
    const now = { inbox: { message: { Stored: 2, Marked: 1 }, label: { Made: 1 } }, campaigns: { one: { Made: 1 } } };
    expect(unreadableBefore(before, now)).toEqual(['inbox message Stored v2', 'inbox message Marked v1']);
  });
});
