import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@messaging-gateway/runtime';
import { openDatabase } from '@messaging-gateway/service';
import { testCaller } from '@messaging-gateway/service/testing';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { outbound } from '../index.ts';
import { networkMessageIdOf } from '../message/message.ts';
import type { Answered, Asked, ProcessOptions } from './outbound-process.child.ts';
import { eventually } from '../testing/eventually.ts';

const program = fileURLToPath(new URL('outbound-process.child.ts', import.meta.url));

/** Outbound in a process of its own, which can be killed. */
class OutboundProcess {
  readonly #child: ChildProcess;
  readonly #answers = new Map<number, (answered: Answered) => void>();
  readonly ready: Promise<void>;
  #sent = 0;

  constructor(options: ProcessOptions) {
    this.#child = fork(program, [JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    this.ready = new Promise((resolve, reject) => {
      this.#child.once('exit', () => reject(new Error('The process ended before it was ready.')));
      this.#child.on('message', (message) => (message === 'ready' ? resolve() : this.#answered(message as Answered)));
    });
  }

  send(text: string, resourceId = v7(), repeated = false): Promise<Answered> {
    this.#sent += 1;
    const id = this.#sent;
    this.#child.send({ id, text, resourceId, repeated } satisfies Asked);
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await gone;
  }

  #answered(answered: Answered): void {
    this.#answers.get(answered.id)?.(answered);
  }
}

let database: TestDatabase;
let folder: string;
let running: OutboundProcess | undefined;
let common: Omit<ProcessOptions, 'durableSend'>;

beforeEach(async () => {
  database = await testDatabase();
  folder = mkdtempSync(join(tmpdir(), 'outbound-'));
  common = {
    databaseUrl: database.url,
    networkFile: join(folder, 'network'),
    caller: testCaller(),
    profileId: v7(),
    messageDelayMs: 0,
    acknowledgesAfterMs: 3,
  };
});
afterEach(async () => {
  await running?.kill();
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function start(options: Partial<ProcessOptions>): Promise<OutboundProcess> {
  running = new OutboundProcess({ ...common, durableSend: false, ...options });
  await running.ready;
  return running;
}

const stanzas = (): { id: string; text: string }[] => {
  if (!existsSync(common.networkFile)) return [];
  const lines = readFileSync(common.networkFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('out '));
  return lines.map((line) => ({ id: line.split(' ')[1] ?? '', text: line.split(' ').slice(2).join(' ') }));
};

async function queued(): Promise<number> {
  const {
    storage: { schema },
    migrations,
  } = outbound;
  const opened = await openDatabase({ url: database.url, schema, migrations, log: silentLogger });
  const [row] = await opened.sql.query<{ count: number }>('SELECT count(*)::int AS count FROM queue');
  await opened.close();
  return row?.count ?? 0;
}

/** Stanzas as the contact sees them: the network drops a repeated id. */
const shown = (): string[] =>
  [
    ...new Map(
      stanzas()
        .toReversed()
        .map(({ id, text }) => [id, text]),
    ),
  ]
    .toReversed()
    .map(([, text]) => text);

describe('a kill -9', () => {
  it('with 200 durable sends queued: all arrive once each, in order', async () => {
    // The rest still waits when the process is killed, however late that is.
    const first = await start({ durableSend: true, acknowledgesAfterMs: 25, silentAfter: 100 });
    const texts = Array.from({ length: 200 }, (_, index) => `number ${index}`);
    const answers: Answered[] = [];
    for (const text of texts) answers.push(await first.send(text));
    expect(answers.every(({ status }) => status === 202)).toBe(true);
    await eventually(() => stanzas().length >= 20);
    await first.kill();
    expect(shown().length).toBeLessThan(200);
    await start({ durableSend: true });
    await eventually(
      () => shown().length === 200 && readFileSync(common.networkFile, 'utf8').includes(`ack ${stanzas().at(-1)?.id}`),
    );
    expect(shown()).toEqual(texts);
    // The one that was on its way may be written again, under the same id; no other.
    const byId = Map.groupBy(stanzas(), ({ id }) => id);
    expect([...byId.values()].filter(({ length }) => length > 1).length).toBeLessThanOrEqual(1);
  });

  it('in the middle of a synchronous send: settled under the same id; what waited behind it fails and is not sent later', async () => {
    const first = await start({ silentAfter: 0 });
    const [handedOver, waiting] = [v7(), v7()];
    void first.send('handed over', handedOver);
    await eventually(() => stanzas().length === 1);
    void first.send('waiting', waiting);
    await eventually(async () => (await queued()) === 2);
    await first.kill();
    const second = await start({});
    const answers = await Promise.all([
      second.send('handed over', handedOver, true),
      second.send('waiting', waiting, true),
    ]);
    expect(answers[0]).toMatchObject({
      status: 200,
      body: { messageId: handedOver, networkMessageId: networkMessageIdOf(handedOver), status: 'sent' },
    });
    expect(answers[1]).toMatchObject({ code: 'ENGINE_TIMEOUT' });
    expect(shown()).toEqual(['handed over']);
    expect(new Set(stanzas().map(({ id }) => id)).size).toBe(1);
    expect(await second.send('next')).toMatchObject({ status: 200 });
    expect(shown()).toEqual(['handed over', 'next']);
  });

  it('right after answers of synchronous sends: what was answered stays sent, and goes out no second time', async () => {
    const first = await start({});
    const asked = Array.from({ length: 20 }, (_, index) => ({ id: v7(), text: `number ${index}` }));
    const answered: string[] = [];
    for (const { id, text } of asked)
      void first.send(text, id).then(({ status }) => {
        if (status === 200) answered.push(id);
      });
    await eventually(() => answered.length >= 10);
    await first.kill();
    const second = await start({});
    for (const { id, text } of asked.filter(({ id }) => answered.includes(id)))
      expect(await second.send(text, id, true)).toMatchObject({ status: 200, body: { messageId: id, status: 'sent' } });
    const counted = answered.map((id) => stanzas().filter((stanza) => stanza.id === networkMessageIdOf(id)).length);
    expect(counted).toEqual(answered.map(() => 1));
  });
});
