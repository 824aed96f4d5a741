import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { suppression, type SuppressionCommand, type SuppressionEvent } from './suppression.ts';

const given = specification(suppression);
const suppressionId = '0198c0de-0000-5000-8000-000000000001';
const at = '2026-01-01T00:00:00.000Z';
const later = '2026-01-02T00:00:00.000Z';
const names = { phone: '4915112345678', phoneDigest: 'p', lidDigest: 'l' };
const now = Date.parse(at);
const entry = { suppressionId, ...names, reason: 'asked', since: at, saidAt: undefined };
const listed: SuppressionEvent = { type: 'Suppressed', data: { ...entry, change: 'listed' } };
const lifted: SuppressionEvent = { type: 'SuppressionLifted', data: { suppressionId, saidAt: undefined } };
const put: SuppressionCommand = { type: 'Suppress', suppressionId, names, at, reason: 'asked' };
const lift: SuppressionCommand = { type: 'Lift', suppressionId };
const changed = (differences: object): SuppressionEvent => ({
  type: 'Suppressed',
  data: { ...entry, ...differences, change: 'changed' },
});
const saidAt = (time: string, messageId = 'm', ms = now) => ({ at: time, confirmation: { messageId, now: ms } });
const confirmed = (answered: 'optOut' | 'resume', messageId = 'm', ms = now): SuppressionEvent => ({
  type: 'OptOutConfirmed',
  data: { suppressionId, answered, messageId, now: ms },
});

describe('somebody to whom nothing goes', () => {
  it('is put on the list once', () => {
    given().when(put).then(listed);
    given(listed)
      .when({ ...put, at: later })
      .thenNothing();
  });
  it('keeps the reason, unless another one replaces it', () => {
    given(listed)
      .when({ ...put, reason: 'other' })
      .thenNothing();
    given(listed)
      .when({ ...put, replaces: true, reason: undefined })
      .thenNothing();
    given(listed)
      .when({ ...put, replaces: true, reason: 'other' })
      .then(changed({ reason: 'other' }));
  });
  it('gains names and loses none', () => {
    const byLid = {
      ...listed,
      data: { ...entry, phone: undefined, phoneDigest: undefined, change: 'listed' },
    } as const;
    given(byLid).when({ type: 'Learn', suppressionId, names }).then(changed({}));
    given(listed)
      .when({ type: 'Learn', suppressionId, names: { lidDigest: 'x' } })
      .thenNothing();
    given().when({ type: 'Learn', suppressionId, names }).thenNothing();
  });
  it('whose phone was forgotten stays, and is not shown again by what others tell', () => {
    const forgotten = changed({ phone: undefined });
    given(listed).when({ type: 'Forget', suppressionId }).then(forgotten);
    given(listed, forgotten).when({ type: 'Forget', suppressionId }).thenNothing();
    given(listed, forgotten).when({ type: 'Learn', suppressionId, names }).thenNothing();
    given(listed, forgotten).when(put).then(changed({}));
    given().when({ type: 'Forget', suppressionId }).thenNothing();
  });
  it('is taken off, and put on again', () => {
    given(listed).when(lift).then(lifted);
    given(listed, lifted).when(lift).thenNothing();
    given(listed, lifted)
      .when({ ...put, at: later })
      .then({
        type: 'Suppressed',
        data: { ...entry, since: later, change: 'listed' },
      });
  });
});

describe("a person's own word", () => {
  const spoken = changed({ saidAt: later });
  it('counts by when it was written, not by when it comes', () => {
    given(listed, spoken)
      .when({ ...lift, said: { at } })
      .thenNothing();
    given(listed, spoken)
      .when({ ...put, said: { at } })
      .thenNothing();
    given(listed, spoken)
      .when({ ...lift, said: { at: later } })
      .then({
        type: 'SuppressionLifted',
        data: { suppressionId, saidAt: later },
      });
    given(listed, spoken)
      .when(lift)
      .then({ type: 'SuppressionLifted', data: { suppressionId, saidAt: later } });
  });
  it('is confirmed once a day, each of both', () => {
    const first = { ...listed, data: { ...listed.data, saidAt: at } } as SuppressionEvent;
    given()
      .when({ ...put, said: saidAt(at) })
      .then(first, confirmed('optOut'));
    given(first, confirmed('optOut'))
      .when({ ...put, said: saidAt(at, 'n', now + 86_399_999) })
      .thenNothing();
    given(first, confirmed('optOut'))
      .when({ ...put, said: saidAt(at, 'n', now + 86_400_000) })
      .then(confirmed('optOut', 'n', now + 86_400_000));
    given(first, confirmed('optOut'))
      .when({ ...lift, said: saidAt(at) })
      .then({ type: 'SuppressionLifted', data: { suppressionId, saidAt: at } }, confirmed('resume'));
  });
  it('is not confirmed when nothing is to be answered', () =>
    given()
      .when({ ...put, said: { at } })
      .then({ type: 'Suppressed', data: { ...entry, saidAt: at, change: 'listed' } }));
});
