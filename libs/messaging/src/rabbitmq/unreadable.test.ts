import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith, testRabbitMq, type TestRabbitMq } from '@messaging-gateway/testing';
import type { RabbitMq } from './open-rabbitmq.ts';
import { connected, participant, testRequest } from './opened.fixture.ts';

describeWith('rabbitmq', 'messages that nobody can read', () => {
  let broker: TestRabbitMq;
  let rabbitMq: RabbitMq;
  beforeAll(async () => {
    broker = await testRabbitMq();
    rabbitMq = await connected(participant(broker.url));
  });
  afterAll(async () => {
    await rabbitMq.close();
    await broker.drop();
  });

  it.each([
    ['an operation', 'amq.default', 'operation.Served', {}],
    ['a route', 'routes', 'Served profile', {}],
    ['a claim', 'routes', 'Served profile', { type: 'route.claim' }],
  ])('at the queue of %s end nothing', async (_, exchange, key, properties) => {
    const answer = async () => ({ status: 200, body: 'answered' });
    const stops = [
      await rabbitMq.operations.serve('Served', answer),
      await rabbitMq.operations.serve('Served', answer, 'profile'),
    ];
    const published = await broker.manage('POST', `/api/exchanges/${broker.virtualHost}/${exchange}/publish`, {
      routing_key: key,
      payload: '{"not',
      payload_encoding: 'string',
      properties,
    });
    expect(await published.json()).toEqual({ routed: true });
    for (const options of [{}, { route: 'profile' }])
      expect((await rabbitMq.operations.request('Served', testRequest({}), options)).body).toBe('answered');
    await Promise.all(stops.map((stop) => stop()));
  });
});
