import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../../testing/engine-harness.ts';
import { chatOf, ChatOrder, notificationTypes, watchStanzas } from './stanzas.ts';

describe('the order of chats', () => {
  it('is kept in each, whatever its stanzas wait for', async () => {
    const order = new ChatOrder();
    const done: string[] = [];
    for (let number = 0; number < 50; number += 1)
      for (const chat of ['a', 'b'])
        order.take(chat, async () => {
          await sleep(Math.random() * 3);
          done.push(`${chat}${number}`);
          if (number % 7 === 0) throw new Error('This one cannot be handled.');
        });
    await until(() => done.length === 100);
    for (const chat of ['a', 'b'])
      expect(done.filter((name) => name.startsWith(chat))).toEqual(Array.from({ length: 50 }, (_, n) => `${chat}${n}`));
  });

  it('lets a chat that stands still hold up no other, and goes on with it after a time', async () => {
    const order = new ChatOrder(300);
    const done: string[] = [];
    order.take('stuck', () => new Promise(() => undefined));
    order.take('stuck', async () => void done.push('after the stuck one'));
    order.take('other', async () => void done.push('other'));
    await until(() => done.length === 2);
    expect(done).toEqual(['other', 'after the stuck one']);
  });

  it.each<[string, Record<string, string>, string]>([
    ['a group', { from: '120363000000000001@g.us', participant: '1@lid' }, '120363000000000001@g.us'],
    [
      'a person by number',
      { from: '4915112345678@s.whatsapp.net', sender_lid: '1@lid' },
      '4915112345678@s.whatsapp.net',
    ],
    ['a person by LID', { from: '1:3@lid', sender_pn: '4915112345678@s.whatsapp.net' }, '4915112345678@s.whatsapp.net'],
    ['a person whose number is not told', { from: '1:3@lid' }, '1@lid'],
    [
      'a broadcast list, which is that of its author',
      {
        from: '1700000000@broadcast',
        participant: '1:3@lid',
        participant_pn: '4915112345678@s.whatsapp.net',
      },
      '4915112345678@s.whatsapp.net',
    ],
    [
      'what the owner wrote',
      { from: '9@lid', recipient: '1@lid', peer_recipient_pn: '4915112345678@s.whatsapp.net' },
      '4915112345678@s.whatsapp.net',
    ],
  ])('knows the chat of %s', (_, attrs, chat) => {
    expect(chatOf({ tag: 'message', attrs })).toBe(chat);
  });
});

/** Watches a connection and reports only the stanzas that are ignored. */
function watchOnly(connection: EventEmitter, ignored: (kind: string) => void): void {
  watchStanzas(connection, {
    message: () => undefined,
    handled: () => undefined,
    receipt: async () => undefined,
    group: async () => undefined,
    takes: () => false,
    contact: async () => undefined,
    ack: () => undefined,
    isCurrent: () => true,
    ignored,
  });
}

describe('stanzas that only the client library handles', () => {
  const ignoredOf = (event: string, attrs: Record<string, string>): string[] => {
    const connection = new EventEmitter();
    const ignored: string[] = [];
    watchOnly(connection, (kind) => ignored.push(kind));
    connection.emit(event, { tag: 'x', attrs });
    return ignored;
  };

  it.each(Object.entries(notificationTypes))('a notification of type %s: %s', (type, outcome) => {
    const ignored = ignoredOf('CB:notification', { type });
    expect(ignored).toEqual(outcome === 'state' ? [] : [`notification ${type}`]);
  });

  it('events without a stanza pass', () => {
    const connection = new EventEmitter();
    const opened: string[] = [];
    connection.on('open', () => opened.push('open'));
    watchOnly(connection, (kind) => opened.push(kind));
    connection.emit('open');
    expect(opened).toEqual(['open']);
  });

  it('an unknown notification and a call are counted', () => {
    expect(ignoredOf('CB:notification', { type: 'new-in-2030' })).toEqual(['notification unknown']);
    expect(ignoredOf('CB:notification', {})).toEqual(['notification unknown']);
    expect(ignoredOf('CB:call', { id: 'C1' })).toEqual(['call']);
    expect(ignoredOf('CB:call,,offer', { id: 'C1' })).toEqual([]);
  });
});
