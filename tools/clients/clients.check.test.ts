import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const modules = `${root}tools/clients/node_modules`;
const document = `${root}contracts/generated/openapi.json`;
const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-clients-'));
const at = (file: string): string => join(directory, file);

/** Runs a program of Node.js there, away from settings of this project. @throws Error with what it printed */
async function run(...command: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, command, { cwd: directory }).catch((error: unknown) => {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${stdout}${stderr}`);
  });
}

const strict = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    target: 'esnext',
    module: 'nodenext',
    types: [],
  },
};

beforeAll(() => {
  writeFileSync(at('package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(at('tsconfig.json'), JSON.stringify({ ...strict, include: ['*.ts', 'hey/*.ts'] }));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const compile = async (): Promise<void> => run(`${root}node_modules/typescript/bin/tsc`, '-p', directory);

describe('types made from the OpenAPI document', () => {
  it('by openapi-typescript name the domain, tell contents apart by type and refuse unknown fields', async () => {
    await run(`${modules}/openapi-typescript/bin/cli.js`, document, '--output', at('api.ts'));
    copyFileSync(`${root}tools/clients/program.ts.txt`, at('program.ts'));
    await compile();
    // What the compiler lets pass is not only what it does not look at.
    writeFileSync(at('wrong.ts'), `import { image } from './program.ts';\nexport const { subtitle } = image;\n`);
    await expect(compile()).rejects.toThrow("Property 'subtitle' does not exist");
    rmSync(at('wrong.ts'));
  });

  it('by openapi-ts name the same', async () => {
    await run(
      `${modules}/@hey-api/openapi-ts/bin/run.js`,
      '--input',
      document,
      '--output',
      at('hey'),
      '--plugins',
      '@hey-api/typescript',
    );
    const types = readFileSync(at('hey/types.gen.ts'), 'utf8');
    const named = new Set([...types.matchAll(/^export type (\w+) =/gm)].map((match) => match[1]));
    for (const name of [
      'Message',
      'TextContent',
      'Contact',
      'Conversation',
      'Profile',
      'Webhook',
      'Event',
      'MessagePage',
    ])
      expect(named).toContain(name);
    writeFileSync(
      at('reader.ts'),
      `import type { Message } from './hey/types.gen.ts';
export const textOf = (message: Message): string =>
  message.content.type === 'text' ? message.content.text : '';
`,
    );
    rmSync(at('hey/index.ts'));
    await compile();
  });
});
