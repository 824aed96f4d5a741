import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CommandEnvelope } from '@messaging-gateway/contracts';
import { Unavailable } from '@messaging-gateway/runtime';
import { describeWith, testRabbitMq, type TestRabbitMq } from '@messaging-gateway/testing';
import { listDeadLetters } from '../dead-letters.ts';
import { childConsumer } from '../suites/child-consumer.ts';
import { Collector, gate } from '../suites/collector.ts';
import type { RabbitMq } from './open-rabbitmq.ts';
import { connected, participant, testCommand, testHome, until } from './opened.fixture.ts';

const script = fileURLToPath(new URL('command-consumer.child.ts', import.meta.url));
const numberOf = ({ data }: CommandEnvelope): number => (data as { n: number }).n;
const isTaken = (sent: Promise<void>): Promise<boolean> =>
  sent.then(
    () => true,
    () => false,
  );
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describeWith('rabbitmq', 'commands over RabbitMQ', () => {
  let broker: TestRabbitMq;
  let tables: Awaited<ReturnType<typeof testHome>>;
  let sending: RabbitMq;
  const opened: RabbitMq[] = [];
  const another = async (options = {}): Promise<RabbitMq> => {
    const rabbitMq = await connected(participant(broker.url, options));
    opened.push(rabbitMq);
    return rabbitMq;
  };
  const retry = (...delaysMs: number[]) => ({ delaysMs, home: tables.home });

  beforeAll(async () => {
    [broker, tables] = await Promise.all([testRabbitMq(), testHome()]);
    sending = await another();
  });
  afterAll(async () => {
    await Promise.all(opened.map((rabbitMq) => rabbitMq.close()));
    await tables.drop();
    await broker.drop();
  });

  it('keep the order of each key when the replica that takes them stops and another one takes over', async () => {
    const [first, second] = [await another(), await another()];
    const came = new Collector<string>();
    const handler = async (command: CommandEnvelope) => {
      await new Promise((resolve) => setTimeout(resolve, numberOf(command) % 3));
      came.add(`${command.key} ${numberOf(command)}`);
    };
    const stop = await first.commands.handle('outbound', 'Command1', handler, retry());
    const stopSecond = await second.commands.handle('outbound', 'Command1', handler, retry());
    const keys = ['a', 'b', 'c'];
    for (const n of numbers(60))
      await Promise.all(keys.map((key) => sending.commands.send('outbound', testCommand('Command1', key, n))));
    await came.until(30);
    await stop();
    await came.until(180);
    for (const key of keys)
      expect(came.items.filter((line) => line.startsWith(key))).toEqual(numbers(60).map((n) => `${key} ${n}`));
    await stopSecond();
  });

  it('go on in another process when the one that takes them is killed, in order, each begun one at most again', async () => {
    const ids = numbers(30).map(String);
    const child = await childConsumer(script, { AMQP_URL: broker.url, DATABASE_URL: tables.url });
    const came = new Collector<string>();
    const other = await another();
    const stop = await other.commands.handle(
      'outbound',
      'Slow',
      async ({ data }) => came.add((data as { id: string }).id),
      retry(),
    );
    for (const id of ids)
      await sending.commands.send('outbound', { ...testCommand('Slow', 'key', 0), id: `s-${id}`, data: { id } });
    const begun = await child.begun.until(5);
    await child.kill();
    await came.until((items) => items.includes('29'));
    expect([...begun.slice(0, -1), ...came.items].filter((id, n, all) => all.indexOf(id) === n)).toEqual(ids);
    expect(came.items).toEqual(ids.slice(Number(came.items[0])));
    await stop();
  }, 180_000);

  it('are not lost and not held up at the sender by a slow consumer', async () => {
    const { opened: letGo, open } = gate();
    const came = new Collector<number>();
    const slow = await another({ concurrency: 2 });
    const stop = await slow.commands.handle(
      'outbound',
      'Command2',
      async (command) => {
        await letGo;
        came.add(numberOf(command));
      },
      retry(),
    );
    await Promise.all(
      numbers(3_000).map((n) => sending.commands.send('outbound', testCommand('Command2', `${n % 5}`, n))),
    );
    expect(came.items).toEqual([]);
    open();
    const all = await came.until(3_000);
    for (const key of numbers(5))
      expect(all.filter((n) => n % 5 === key)).toEqual(numbers(600).map((n) => n * 5 + key));
    await stop();
  });

  it('are refused while the queue is full, and what was accepted is carried out', async () => {
    const small = await another({
      maxQueueLength: 20,
      commands: [{ owner: 'small', name: 'Command1' }],
    });
    const accepted: number[] = [];
    let refused: unknown;
    for (let n = 0; refused === undefined; n++)
      await small.commands.send('small', testCommand('Command1', 'key', n)).then(
        () => accepted.push(n),
        (error: unknown) => (refused = error),
      );
    expect(refused).toEqual(new Unavailable('The queue of Command1 is full.'));
    expect(accepted.length).toBeGreaterThanOrEqual(20);
    const came = new Collector<number>();
    const stop = await small.commands.handle('small', 'Command1', async (one) => came.add(numberOf(one)), retry());
    await came.until(accepted.length);
    // The broker may not have heard yet that the last ones are done.
    await until(() => isTaken(small.commands.send('small', testCommand('Command1', 'key', 1_000))));
    expect(await came.until(accepted.length + 1)).toEqual([...accepted, 1_000]);
    await stop();
  });

  it('without a queue are refused, not lost', async () => {
    const sent = sending.commands.send('outbound', testCommand('NeverDeclared', 'key', 1));
    await expect(sent).rejects.toThrow('has no queue');
  });

  it('that nobody can read become dead letters and hold up nothing', async () => {
    const unreadable = { one: 'not JSON', two: '{"no":"command"}' };
    for (const [id, payload] of Object.entries(unreadable)) {
      const published = await broker.manage('POST', `/api/exchanges/${broker.virtualHost}/amq.default/publish`, {
        routing_key: 'command.outbound.Command3',
        payload,
        payload_encoding: 'string',
        properties: { message_id: id },
      });
      expect(await published.json()).toEqual({ routed: true });
    }
    await sending.commands.send('outbound', testCommand('Command3', 'key', 1));
    const came = new Collector<number>();
    const stop = await sending.commands.handle(
      'outbound',
      'Command3',
      async (command) => {
        if (typeof command.data === 'string') throw new TypeError('no data');
        came.add(numberOf(command));
      },
      retry(),
    );
    await came.until(1);
    const letters = async () => (await listDeadLetters(tables.home)).filter(({ name }) => name === 'Command3');
    await until(async () => (await letters()).length > 1);
    expect((await letters()).map(({ id, reason }) => `${id} ${reason}`).toSorted()).toEqual([
      'one TypeError: no data',
      'two TypeError: no data',
    ]);
    await stop();
  });
});
