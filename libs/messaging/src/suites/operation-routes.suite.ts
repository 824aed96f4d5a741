import { expect, it } from '@jest/globals';
import { unseen } from '../operations.ts';
import { gate } from './collector.ts';
import { codeOf, detailsOf, freshOperation, testRequest, type OperationsUnderTest } from './operations.harness.ts';

/** How operations find the instance that holds a route. */
export function operationRoutesSuite(under: () => OperationsUnderTest): void {
  it('reach the instance that their route names', async () => {
    const name = freshOperation();
    const answering = (body: string) => async () => ({ status: 200, body });
    const stops = [
      await under().serving.serve(name, answering('any')),
      await under().serving.serve(name, answering('a'), 'profile-a'),
      await under().serving.serve(name, answering('b'), 'profile-b'),
    ];
    const ask = async (route?: string) =>
      (await under().asking.request(name, testRequest(under().clock), route === undefined ? {} : { route })).body;
    expect([await ask(), await ask('profile-a'), await ask('profile-b')]).toEqual(['any', 'a', 'b']);
    expect(await codeOf(ask('profile-c'))).toBe('SERVICE_UNAVAILABLE');
    await stops[1]?.();
    expect(await codeOf(ask('profile-a'))).toBe('SERVICE_UNAVAILABLE');
    await Promise.all([stops[0]?.(), stops[2]?.()]);
  });

  it('have one holder for each route', async () => {
    const name = freshOperation();
    const stop = await under().serving.serve(name, async () => ({ status: 200 }), 'held');
    await expect(under().serving.serve(name, async () => ({ status: 200 }), 'held')).rejects.toThrow('held');
    await stop();
    const stopNext = await under().asking.serve(name, async () => ({ status: 200, body: 'next' }), 'held');
    expect((await under().asking.request(name, testRequest(under().clock), { route: 'held' })).body).toBe('next');
    await stopNext();
  });

  it('are all served at a route, each by its own handler', async () => {
    const names = [freshOperation(), freshOperation(), freshOperation()];
    const stops = await Promise.all(
      names.map((name) => under().serving.serve(name, async () => ({ status: 200, body: name }), 'shared')),
    );
    const ask = async (name: string) =>
      (await under().asking.request(name, testRequest(under().clock), { route: 'shared' })).body;
    expect(await Promise.all(names.map(ask))).toEqual(names);
    await stops[0]?.();
    expect(await detailsOf(ask(names[0] ?? ''))).toEqual(unseen);
    expect(await ask(names[1] ?? '')).toBe(names[1]);
    await Promise.all(stops.map((stop) => stop()));
    expect(await detailsOf(ask(names[1] ?? ''))).toEqual(unseen);
  });

  it('at one route are finished by a stop that waits for no others', async () => {
    const name = freshOperation();
    const begun = gate();
    const { opened, open: finish } = gate();
    const stopSlow = await under().serving.serve(
      name,
      async () => {
        begun.open();
        await opened;
        return { status: 200, body: 'finished' };
      },
      'slow',
    );
    const stopOther = await under().serving.serve(name, async () => ({ status: 200 }), 'other');
    const asked = under().asking.request(name, testRequest(under().clock), { route: 'slow' });
    await begun.opened;
    await stopOther();
    const stopped = stopSlow();
    finish();
    expect((await asked).body).toBe('finished');
    await stopped;
  });

  it('of different owners may have different holders of one route', async () => {
    const [mine, yours] = [freshOperation(), freshOperation()];
    const stops = [
      await under().serving.serve(mine, async () => ({ status: 200, body: 'mine' }), 'common'),
      await under().asking.serve(yours, async () => ({ status: 200, body: 'yours' }), 'common'),
    ];
    const ask = async (name: string) =>
      (await under().asking.request(name, testRequest(under().clock), { route: 'common' })).body;
    expect([await ask(mine), await ask(yours)]).toEqual(['mine', 'yours']);
    await Promise.all(stops.map((stop) => stop()));
  });

  it('go to the newest of two processes that want to hold a route', async () => {
    if (under().asking === under().serving) return;
    const name = freshOperation();
    const answering = (body: string) => async () => ({ status: 200, body });
    const ask = async () =>
      (await under().asking.request(name, testRequest(under().clock), { route: 'contested' })).body;
    const stop = await under().serving.serve(name, answering('old'), 'contested');
    expect(await ask()).toBe('old');
    const stopNew = await under().asking.serve(name, answering('new'), 'contested');
    expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array.from({ length: 20 }, () => 'new'));
    await stop();
    expect(await ask()).toBe('new');
    const stopAgain = await under().serving.serve(name, answering('old again'), 'contested');
    expect(await ask()).toBe('old again');
    await Promise.all([stopNew(), stopAgain()]);
  });

  it('have a single holder when several processes claim a route at once', async () => {
    if (under().asking === under().serving) return;
    const name = freshOperation();
    const both = [under().asking, under().serving];
    for (let round = 0; round < 10; round++) {
      let carriedOut = 0;
      const handler = async () => ({ status: 200, body: (carriedOut += 1) });
      const stops = await Promise.all(both.map((bus) => bus.serve(name, handler, 'rushed')));
      const answered = async (): Promise<boolean> => {
        carriedOut = 0;
        await under()
          .asking.request(name, testRequest(under().clock), { route: 'rushed' })
          .catch(() => undefined);
        return carriedOut === 1;
      };
      while (!(await answered())) await under().clock.sleep(1);
      for (let n = 0; n < 5; n++) expect(await answered()).toBe(true);
      await Promise.all(stops.map((stop) => stop()));
    }
  });
}
