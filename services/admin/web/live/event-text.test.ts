import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { EventText } from './event-text.ts';

const text =
  'retry: 3000\n\n: nothing new\n\nid: 7\nevent: message.received\ndata: {"a":1}\n\nevent: heartbeat\ndata: {}\n\ndata: x\ndata: y\n\n';
const events = [
  { id: '7', event: 'message.received', data: '{"a":1}' },
  { id: undefined, event: 'heartbeat', data: '{}' },
  { id: undefined, event: 'message', data: 'x\ny' },
];

describe('an event stream as text', () => {
  it('is the same wherever it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length })), (cuts) => {
        const places = [0, ...cuts.toSorted((one, other) => one - other), text.length];
        const reader = new EventText();
        const read = places.slice(1).flatMap((end, index) => reader.add(text.slice(places[index], end)));
        expect(read).toEqual(events);
      }),
    );
  });

  it('holds back what is not whole', () => {
    const reader = new EventText();
    expect(reader.add('data: 1\n')).toEqual([]);
    expect(reader.add('\n')).toEqual([{ id: undefined, event: 'message', data: '1' }]);
  });
});
