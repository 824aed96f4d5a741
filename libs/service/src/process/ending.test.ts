import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const programs = {
  ending: fileURLToPath(new URL('ending.child.ts', import.meta.url)),
  beginning: fileURLToPath(new URL('beginning.child.ts', import.meta.url)),
};

class Child {
  readonly process: ChildProcess;
  /** All that it has said has come by then. */
  readonly ended: Promise<number | null>;
  output = '';

  constructor(name: keyof typeof programs, ...args: string[]) {
    this.process = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', programs[name], ...args], {
      stdio: ['ignore', 'pipe', args.includes('speaks') ? 'pipe' : 'inherit', 'ipc'],
    });
    this.process.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    const said = once(this.process.stdout as Readable, 'close');
    this.ended = new Promise((resolve) => this.process.once('exit', (code) => void said.then(() => resolve(code))));
  }

  async says(text: string): Promise<void> {
    while (!this.output.includes(text)) await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

it('a signal stops in order, also when it arrives twice', async () => {
  const child = new Child('ending', '300');
  await child.says('running');
  child.process.kill('SIGINT');
  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(0);
  expect(child.output).toMatch(/Stopping.*\nstopped/);
});

it('a later signal ends at once', async () => {
  const child = new Child('ending', '60000');
  await child.says('running');
  child.process.kill('SIGTERM');
  await child.says('Stopping');
  while (child.process.exitCode === null && child.process.signalCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.process.kill('SIGTERM');
  }
  expect(await child.ended).toBe(1);
  expect(child.output).not.toContain('stopped');
});

it('stops in order when whoever started it is gone', async () => {
  const child = new Child('ending', '10');
  await child.says('running');
  child.process.disconnect();
  expect(await child.ended).toBe(0);
  expect(child.output).toContain('stopped');
});

it('ends at once with what nobody has caught', async () => {
  const child = new Child('ending', '60000', 'nobody caught this');
  expect(await child.ended).toBe(1);
  expect(child.output).toContain('Unhandled rejection {"reason":"nobody caught this"');
});

it('stops in order when nobody reads any more what it says', async () => {
  const child = new Child('ending', '300', '', 'speaks');
  await child.says('running');
  child.process.stdout?.destroy();
  child.process.stderr?.destroy();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect([child.process.exitCode, child.process.signalCode]).toEqual([null, null]);
  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(0);
});

it('ends at once with a signal that comes while it loads', async () => {
  const child = new Child('beginning');
  await child.says('running');
  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(0);
});
