import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const program = fileURLToPath(new URL('silent-signal-library.child.ts', import.meta.url));

/** What a process prints that imports some modules and has sessions of the Signal library replaced. */
const printedWith = (...modules: readonly string[]) =>
  promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...modules]);

describe('the Signal library', () => {
  it('prints sessions with private keys when nothing silences it', async () => {
    const { stdout, stderr } = await printedWith();
    expect(stdout).toMatch(/Closing session: SessionEntry[^]*privKey/);
    expect(stderr).toContain('Failed to decrypt message');
  });

  it.each([
    ['the sessions service', import.meta.resolve('./library-socket.ts')],
    ['the simulated network', import.meta.resolve('@messaging-gateway/network-simulator')],
    [
      'the plain client of tests and benches',
      new URL('../../../../../../infra/network-simulator/src/testing/client.ts', import.meta.url).href,
    ],
  ])('prints nothing in a process with %s', async (_, module) => {
    expect(await printedWith(module)).toEqual({ stdout: '', stderr: '' });
  });
});
