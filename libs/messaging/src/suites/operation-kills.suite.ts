import { expect, it } from '@jest/globals';
import { unseen } from '../operations.ts';
import type { Refused } from '../refused.ts';
import { detailsOf, testRequest, type OperationsUnderTest } from './operations.harness.ts';

/** Operations whose process is killed: the promises of every operation bus. */
export function operationKillsSuite(under: () => OperationsUnderTest): void {
  it('in the hands of a process that is killed are not carried out again, and say that the outcome is unknown', async () => {
    const child = await under().child?.();
    if (child === undefined) return;
    const asked = under().asking.request(
      'Slow',
      testRequest(under().clock, { resourceId: 'killed', deadline: under().clock.now() + 3_600_000 }),
    );
    const refused = asked.catch((error: Refused) => error);
    await child.begun.until(1);
    const seen: string[] = [];
    const stop = await under().serving.serve('Slow', async ({ resourceId }) => {
      seen.push(resourceId);
      return { status: 200 };
    });
    await child.kill();
    expect(await refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: undefined });
    await under().asking.request('Slow', testRequest(under().clock, { resourceId: 'next' }));
    expect(seen).toEqual(['next']);
    await stop();
  }, 180_000);

  it('find nobody as soon as the only process that served them was killed', async () => {
    const child = await under().child?.();
    if (child === undefined) return;
    await child.kill();
    const isUnseen = async (): Promise<boolean> => {
      const asked = under().asking.request(
        'Slow',
        testRequest(under().clock, { deadline: under().clock.now() + 5_000 }),
      );
      return JSON.stringify(await detailsOf(asked)) === JSON.stringify(unseen);
    };
    while (!(await isUnseen())) await under().clock.sleep(10);
  }, 180_000);

  it('in the hands of the only process that served them say so long before their deadline', async () => {
    const child = await under().child?.();
    if (child === undefined) return;
    const deadline = under().clock.now() + 3_600_000;
    const asked = [{}, { route: 'child' }].map((options) =>
      under()
        .asking.request('Slow', testRequest(under().clock, { deadline }), options)
        .catch((error: Refused) => error),
    );
    await child.begun.until(2);
    await child.kill();
    for (const refused of asked)
      expect(await refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: undefined });
  });
}
