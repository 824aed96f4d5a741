import { serviceNames } from '@messaging-gateway/contracts';
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@messaging-gateway/postgres';
import { describeWith, environmentOf, eventually } from '@messaging-gateway/testing';
import { testServers, type TestServers } from './test-servers.ts';

const program = fileURLToPath(new URL('start.ts', import.meta.url));
const patienceMs = 400_000;

/** `npm run start:distributed`, as far as it goes without npm. */
class Started {
  readonly #child: ChildProcess;
  readonly ended: Promise<number | null>;
  output = '';

  constructor(environment: Readonly<Record<string, string>>, ...args: string[]) {
    this.#child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((resolve) => this.#child.once('close', (code) => resolve(code)));
  }

  says(text: RegExp, times = 1): Promise<true> {
    const all = new RegExp(text, 'gm');
    return eventually(async () => ((this.output.match(all)?.length ?? 0) >= times ? true : undefined), patienceMs);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('npm run start:distributed without its servers', () => {
  it('says what is missing, and what to run instead', async () => {
    const started = new Started({ AMQP_URL: 'amqp://localhost', ENCRYPTION_KEY: 'short' });
    expect(await started.ended).toBe(1);
    for (const variable of ['KAFKA_BROKERS', 'DATABASE_URL', 'CACHE_URL', 'JWT_SECRET', 'ENCRYPTION_KEY'])
      expect(started.output).toContain(variable);
    expect(started.output).toContain('npm start');
    const wrong = new Started({}, '--replicas', 'many');
    expect(await wrong.ended).toBe(1);
    expect(wrong.output).toContain('--replicas');
  }, 600_000);
});

describeWith(['rabbitmq', 'kafka', 'redis'], 'npm run start:distributed', () => {
  let servers: TestServers;
  let started: Started | undefined;
  beforeAll(async () => {
    servers = await testServers();
  }, 600_000);
  afterEach(async () => {
    if (started?.isRunning === true) started.signal('SIGKILL');
    await started?.ended;
  });
  afterAll(() => servers?.drop());

  it(
    'starts every service, starts one again that has ended, and stops them all',
    async () => {
      const port = await freePort();
      started = new Started(
        {
          ...environmentOf(servers, '/nowhere'),
          HEALTH_PORT: '0',
          API_PORT: String(port),
          SIMULATOR_PORT: '0',
          ENGINE_HOST: 'worker',
        },
        '--simulator',
      );
      const ready = async (): Promise<true | undefined> => {
        const answer = await fetch(`http://127.0.0.1:${port}/api/v1/health/ready`).catch(() => undefined);
        return answer?.status === 200 ? true : undefined;
      };
      await eventually(ready, patienceMs);
      for (const name of serviceNames) await started.says(new RegExp(`^${name} +\\| .*Ready.*pid=\\d+`, 'm'));
      expect(started.output).toMatch(/^simulator +\| at ws:/m);
      const pids = serviceNames.map((name) => pidOf(started?.output ?? '', name));
      process.kill(pidOf(started.output, 'inbox'), 'SIGKILL');
      await started.says(/^inbox +\| ended with SIGKILL; starts again in 1 s/m);
      await started.says(/^inbox +\| .*Ready/m, 2);
      await eventually(ready, patienceMs);
      // As a terminal and npm do together.
      started.signal('SIGINT');
      started.signal('SIGINT');
      expect(await started.ended).toBe(0);
      expect([...pids, pidOf(started.output, 'inbox')].filter(isAlive)).toEqual([]);
    },
    2 * patienceMs,
  );

  it(
    'leaves no service behind when it is killed',
    async () => {
      started = new Started({ ...environmentOf(servers, '/nowhere'), HEALTH_PORT: '0', API_PORT: '0' });
      await started.says(/Ready.*pid=\d+/, 6);
      const pids = [...started.output.matchAll(/Ready.*pid=(\d+)/g)].map((match) => Number(match[1]));
      started.signal('SIGKILL');
      await eventually(async () => (pids.some(isAlive) ? undefined : true), patienceMs);
    },
    2 * patienceMs,
  );
});

/** The process that said last that it is ready. */
const pidOf = (output: string, name: string): number =>
  Number([...output.matchAll(new RegExp(`^${name} +\\| .*Ready.*pid=(\\d+)`, 'gm'))].at(-1)?.[1]);
