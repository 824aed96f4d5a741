import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const program = fileURLToPath(new URL('warnings.child.ts', import.meta.url));

it('what the runtime warns of is logged, and printed nowhere else', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    program,
  ]);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(lines).toEqual([
    expect.objectContaining({ level: 'warn', name: 'LeakWarning', reason: 'something leaks' }),
    expect.objectContaining({ level: 'debug', name: 'TimeoutNegativeWarning' }),
  ]);
  expect(stderr).toBe('');
});
