import { describe, expect, it } from '@jest/globals';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import { sealsOf } from '@messaging-gateway/runtime';
import * as fc from 'fast-check';
import { portionsOf } from './portions.ts';
import { eventOf, recordOf, UnknownSeal } from './record.ts';

const event: EventEnvelope = {
  id: '0198c0de-0000-7000-8000-0000000000aa',
  type: 'message.sent',
  version: 2,
  source: 'outbound',
  organizationId: 'o',
  profileId: 'p',
  key: 'p',
  sequence: '0001-0000000000000001-0000000000000001-00',
  time: '2026-01-01T00:00:00.000Z',
  data: { text: 'ü' },
  requestId: 'r',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};
const read = (value: string | undefined, key: string | undefined = 'p') => ({ offset: 0n, key, value });

describe('the record of an event', () => {
  it('gives the event again', () => {
    expect(eventOf(read(recordOf(event, 't').value), 't')).toEqual(event);
    const { profileId: _, requestId: __, traceparent: ___, ...least } = event;
    expect(eventOf(read(recordOf(least, 't').value), 't')).toEqual(least);
  });

  it('is told from anything else that somebody wrote', () => {
    const { value } = recordOf(event, 't');
    for (const text of [undefined, '', 'null', '3', '[]', '{}', 'text', value.replace('"id"', '"ID"')])
      expect(() => eventOf(read(text), 't')).toThrow();
    expect(() => eventOf({ offset: 0n, key: undefined, value }, 't')).toThrow('key');
    fc.assert(fc.property(fc.json(), (text) => expect(() => eventOf(read(text), 't')).toThrow()));
  });
});

describe('the record of an event, with a secret', () => {
  const sealing = (word: string, acceptsMissing = false) => ({ seals: sealsOf(word.repeat(8)), acceptsMissing });
  const ours = sealing('ours');
  const { value, headers } = recordOf(event, 't', ours);
  const { seal } = headers;
  const sealed = { ...read(value), seal };

  it('gives the event again, to its own topic and key only', () => {
    expect(eventOf(sealed, 't', ours)).toEqual(event);
    expect(() => eventOf(sealed, 'another', ours)).toThrow('seal is wrong');
    expect(() => eventOf({ ...sealed, key: 'q' }, 't', ours)).toThrow('seal is wrong');
    expect(() => eventOf({ ...sealed, value: value.replace('"o"', '"x"') }, 't', ours)).toThrow('seal is wrong');
  });

  it('must have a seal, unless such are accepted too, and is kept where the secret is another one', () => {
    expect(() => eventOf(read(value), 't', ours)).toThrow('seal is missing');
    expect(eventOf(read(value), 't', sealing('ours', true))).toEqual(event);
    expect(() => eventOf(sealed, 't', sealing('theirs', true))).toThrow(UnknownSeal);
  });
});

describe('a portion of records', () => {
  it('is no larger than a broker takes, unless one record is; all go out in order', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 900_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const records = lengths.map((length, n) => ({
          topic: 't',
          key: `${n}`,
          value: 'x'.repeat(length),
          headers: {},
        }));
        const portions = portionsOf(records);
        expect(portions.flat()).toEqual(records);
        for (const portion of portions) {
          const bytes = portion.reduce((sum, { value }) => sum + value.length, 0);
          expect(portion.length === 1 || bytes <= 512 * 1024).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });
});
