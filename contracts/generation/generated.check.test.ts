import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type * as asyncApi from '@asyncapi/parser';
import { describe, expect, it } from '@jest/globals';
import { events } from '../src/index.ts';
import { generatedFiles } from './files.ts';
import { published, publishedFile, publishedText } from './published.ts';

type AsyncApi = typeof asyncApi;
const root = fileURLToPath(new URL('../../', import.meta.url));
const onDisk = (path: string): string | undefined =>
  existsSync(root + path) ? readFileSync(root + path, 'utf8') : undefined;
const staleHint = 'run `npm run contracts:generate`';

describe('generated files', () => {
  const files = generatedFiles();

  it('are fresh', () => {
    const stale = [...files].filter(([path, text]) => onDisk(path) !== text).map(([path]) => `${path}: ${staleHint}`);
    expect(stale).toEqual([]);
  });

  it('are all that there is', () => {
    const found = readdirSync(`${root}contracts/generated`, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.json'),
    );
    const left = found.map((name) => `contracts/generated/${name}`).filter((path) => !files.has(path));
    expect(left.map((path) => `${path}: ${staleHint}`)).toEqual([]);
  });

  it('OpenAPI has no fault that its linter knows', async () => {
    const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const command = [`${root}node_modules/@redocly/cli/bin/cli.js`, 'lint', 'rest', '--format=stylish'];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { cwd: root, env: environment });
    expect(`${stdout}${stderr}`).toContain('is valid');
  });

  it('AsyncAPI has no fault that its parser knows', async () => {
    const { Parser } = createRequire(import.meta.url)('@asyncapi/parser') as AsyncApi;
    const { document, diagnostics } = await new Parser().parse(files.get('contracts/generated/asyncapi.json') ?? '');
    const faults = [0, 1]; // error and warning; 2 and 3 are advice
    expect(diagnostics.filter(({ severity }) => faults.includes(severity))).toEqual([]);
    expect(document?.version()).toBe('3.0.0');
  });
});

describe('published event versions', () => {
  const frozen = published();

  it('are frozen: a change is a new version', () => {
    const changed = events.filter(
      (event) => (frozen.get(publishedFile(event)) ?? publishedText(event)) !== publishedText(event),
    );
    expect(changed.map(publishedFile)).toEqual([]);
  });

  it('are kept for every event', () => {
    const missing = events.map(publishedFile).filter((name) => !frozen.has(name));
    expect(missing.map((name) => `${name}: run \`npm run contracts:publish\``)).toEqual([]);
  });

  // A later version only adds, so that who knows it reads the earlier one.
  it('are still told in that version or a later one, or their events would be unreadable', () => {
    const known = new Set(
      events.flatMap((event) =>
        Array.from({ length: event.version }, (_, index) => publishedFile({ ...event, version: index + 1 })),
      ),
    );
    expect([...frozen.keys()].filter((name) => !known.has(name))).toEqual([]);
  });
});
