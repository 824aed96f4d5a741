import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sealsOf } from '@messaging-gateway/runtime';
import { describeWith, testRabbitMq, type TestRabbitMq } from '@messaging-gateway/testing';
import type { Sealing } from '../sealing.ts';
import type { RabbitMq } from './open-rabbitmq.ts';
import { connected, participant, testRequest } from './opened.fixture.ts';

const [ours, former, theirs] = ['ours', 'former', 'theirs'].map((word) => word.repeat(8)) as [string, string, string];
const required: Sealing = { seals: sealsOf(ours, [former]), acceptsMissing: false };

describeWith('rabbitmq', 'requests and answers with a secret', () => {
  let broker: TestRabbitMq;
  const opened: RabbitMq[] = [];
  const open = async (sealing?: Sealing): Promise<RabbitMq> => {
    const one = await connected(participant(broker.url, { sealing }));
    opened.push(one);
    return one;
  };
  beforeAll(async () => {
    broker = await testRabbitMq();
  });
  afterAll(async () => {
    await Promise.all(opened.map((one) => one.close()));
    await broker.drop();
  });

  it('reach their owner and come back, also with a former secret and at a route', async () => {
    const [server, client] = [
      await open(required),
      await open({ seals: sealsOf(former, [ours]), acceptsMissing: false }),
    ];
    const answer = async ({ body }: { body: unknown }) => ({ status: 200, body });
    await server.operations.serve('Sealed', answer);
    await server.operations.serve('Sealed', answer, 'profile');
    for (const options of [{}, { route: 'profile' }])
      expect((await client.operations.request('Sealed', testRequest('hello'), options)).body).toBe('hello');
  });

  it.each([
    ['without a secret', undefined],
    ['with another secret', { seals: sealsOf(theirs), acceptsMissing: false }],
  ])('of somebody %s are carried out by nobody', async (name, sealing) => {
    const [server, stranger] = [await open(required), await open(sealing)];
    const carriedOut: unknown[] = [];
    await server.operations.serve(`Forged ${name}`, async ({ body }) => {
      carriedOut.push(body);
      return { status: 200, body: null };
    });
    const asked = stranger.operations.request(`Forged ${name}`, testRequest('open'));
    await expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(carriedOut).toEqual([]);
  });

  it('that somebody else answers are not believed', async () => {
    const [stranger, client] = [await open(), await open(required)];
    await stranger.operations.serve('Usurped', async () => ({ status: 200, body: 'you may' }));
    const asked = client.operations.request('Usurped', testRequest('may I?'));
    await expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('are believed without a seal where that is accepted, but not with a wrong one', async () => {
    const accepting = { seals: sealsOf(ours), acceptsMissing: true };
    const [server, before, stranger] = [
      await open(accepting),
      await open(),
      await open({ seals: sealsOf(theirs), acceptsMissing: true }),
    ];
    await server.operations.serve('Accepted', async () => ({ status: 200, body: 'yes' }));
    expect((await before.operations.request('Accepted', testRequest({}))).body).toBe('yes');
    await expect(stranger.operations.request('Accepted', testRequest({}))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});
