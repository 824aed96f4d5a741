import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { arrived } from '../facts.fixture.ts';
import { InboxFixture, ada, textsOf } from '../inbox.fixture.ts';

let fixture: InboxFixture;
beforeAll(async () => {
  fixture = await InboxFixture.start();
});
afterAll(() => fixture.service.stop());
beforeEach(() => fixture.renew());

describe('a message that arrives', () => {
  it('does not wait for the history of another profile', async () => {
    const many = 1_500;
    const { profileId } = fixture;
    const about = fixture.about();
    const history = Array.from({ length: many }, (_, n) =>
      arrived(profileId, `4915${10_000_000 + (n % 200)}`, `old ${n}`, {
        delivery: 'history',
        sentAt: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
      }),
    );
    let stored = 0;
    const all = Promise.all(history.map((message) => fixture.arrive(message, about).then(() => (stored += 1))));
    fixture.renew();
    for (const text of ['one', 'two', 'three']) await fixture.arrive(arrived(fixture.profileId, ada, text));
    expect(stored).toBeLessThan(many / 2);
    expect((await fixture.told()).map(({ data }) => data.body)).toEqual(['one', 'two', 'three']);
    await all;
  });

  it('keeps its place among those of its profile while sessions cannot be asked', async () => {
    fixture.sessionsRefuses = 'SERVICE_UNAVAILABLE';
    const texts = ['one', 'two', 'three', 'four', 'five'];
    const stored = [];
    for (const text of texts) {
      stored.push(fixture.arrive(arrived(fixture.profileId, ada, text)));
      await fixture.service.clock.sleep(70);
    }
    fixture.sessionsRefuses = undefined;
    await Promise.all(stored);
    expect((await fixture.told()).map(({ data }) => data.body)).toEqual(texts);
    expect(textsOf(await fixture.ofProfile())).toEqual(texts.toReversed());
  });

  it('that was missed stands behind what had come in the same second, and at its own time before what came later', async () => {
    const at = (time: number): string => new Date(time).toISOString();
    const second = Math.floor(Date.now() / 1000) * 1000 - 60_000;
    const missed = (text: string, sentAt: number): Promise<void> =>
      fixture.arrive(arrived(fixture.profileId, ada, text, { delivery: 'replayed', sentAt: at(sentAt) }));
    const came = (text: string, time: number): Promise<void> =>
      fixture.arrive(arrived(fixture.profileId, ada, text), { ...fixture.about(), time: at(time) });
    await came('one', second + 300);
    await missed('two', second);
    await missed('three', second);
    await missed('four', second + 1000);
    await came('five', second + 5000);
    expect(textsOf(await fixture.ofProfile())).toEqual(['five', 'four', 'three', 'two', 'one']);
  });

  it('is given up when sessions refuses to describe the profile for another reason', async () => {
    fixture.sessionsRefuses = 'INTERNAL_ERROR';
    let outcome: unknown;
    const end = (how: unknown): void => void (outcome = how);
    fixture.arrive(arrived(fixture.profileId, ada, 'Hello')).then(() => end('stored'), end);
    while (outcome === undefined) {
      fixture.service.clock.advance(15_000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(outcome).toMatchObject({ code: 'INTERNAL_ERROR' });
    fixture.sessionsRefuses = undefined;
    await fixture.service.sql.query('DELETE FROM dead_letters');
  });
});
