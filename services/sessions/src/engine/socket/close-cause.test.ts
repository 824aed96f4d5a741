import { expect, it } from '@jest/globals';
import { closeCause } from './close-cause.ts';

const closed = (statusCode: number, data?: unknown) => ({
  message: 'WebSocket Error ()',
  output: { statusCode },
  data,
});

it('a connection that could not be made says why', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:443'), { code: 'ECONNREFUSED' });
  const noneOfBoth = new AggregateError([refused, new Error('another')], '');
  expect(closeCause(closed(408, refused), true)).toEqual({
    cause: 'lost',
    detail: '408 connect ECONNREFUSED 192.0.2.1:443',
    fault: 'ECONNREFUSED',
  });
  expect(closeCause(closed(408, noneOfBoth), true)).toEqual(closeCause(closed(408, refused), true));
});

it('what the network itself says is its code', () => {
  expect(closeCause(closed(440, { reason: '440', location: 'x' }), true)).toEqual({ cause: 'replaced', detail: '440' });
  expect(closeCause(closed(0), true)).toEqual({ cause: 'lost', detail: 'CONNECTION_ENDED', fault: 'CONNECTION_ENDED' });
});
