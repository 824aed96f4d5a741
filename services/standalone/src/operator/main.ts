// `messaging-gateway <verb>`: everything that an operator does, beside the API.
import { parseArgs } from 'node:util';
import { outliveReaders } from '@messaging-gateway/service/beginning';
import { keepCompiledCode } from '../compiled-code.ts';
import { Usage, type Verb } from './verb.ts';

/** Loaded when they are asked for: each needs other parts. `start` is a program of its own. */
const verbs: Readonly<Record<string, () => Promise<Verb>>> = {
  backup: async () => (await import('./backup.ts')).backup,
  backups: async () => (await import('./backups.ts')).backups,
  restore: async () => (await import('./restore.ts')).restore,
  migrate: async () => (await import('./migrate.ts')).migrate,
  views: async () => (await import('./views.ts')).views,
  'dead-letters': async () => (await import('./dead-letters.ts')).deadLetters,
  user: async () => (await import('./user.ts')).user,
  tenants: async () => (await import('./tenants.ts')).tenants,
  profiles: async () => (await import('./profiles.ts')).profiles,
  topics: async () => (await import('./topics.ts')).topics,
};

const [name, ...rest] = process.argv.slice(2);
const write = (text: string): void => void process.stdout.write(`${text}\n`);

async function operate(): Promise<void> {
  outliveReaders();
  keepCompiledCode();
  const open = name !== undefined && Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (name === 'start')
    return end(
      0,
      'Usage: messaging-gateway start\n\nStarts the gateway; settings are environment variables (docs/configuration.md).',
    );
  if (open === undefined) {
    if (name === '--help' || name === 'help') return end(0, await help());
    process.stderr.write(
      `${name === undefined ? 'A verb is missing' : `There is no verb ${name}`}: see messaging-gateway --help\n`,
    );
    return process.exit(2);
  }
  const verb = await open();
  if (rest.includes('--help')) return end(0, helpOf(verb));
  try {
    const { flags, args } = read(verb);
    const { data, lines } = await verb.run({ args, flags });
    return end(0, flags['json'] === true ? JSON.stringify(data) : lines.join('\n'));
  } catch (error) {
    const { message } = error as Error;
    const isUsage = error instanceof Usage;
    process.stderr.write(isUsage ? `${message} See messaging-gateway ${name} --help\n` : `${message}\n`);
    process.exit(isUsage ? 2 : 1);
  }
}

/** @throws Usage */
function read(verb: Verb): { flags: Record<string, string | boolean | undefined>; args: string[] } {
  const options = { ...verb.options, json: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: rest, allowPositionals: true, options });
    return { flags: values, args: positionals };
  } catch (error) {
    throw new Usage((error as Error).message.replace(/(?<!\.)$/, '.'), { cause: error });
  }
}

function end(code: number, text: string): void {
  if (text !== '') write(text);
  process.exit(code);
}

const helpOf = ({ summary, usage }: Verb): string =>
  [
    ...usage.map((line, index) => `${index === 0 ? 'Usage:' : '      '} messaging-gateway ${line} [--json]`),
    '',
    summary,
    '--json: one line for machines. Exit codes: 0 done, 1 failed, 2 not understood.',
  ].join('\n');

async function help(): Promise<string> {
  const rows = await Promise.all(
    Object.entries(verbs).map(async ([verb, open]) => `  ${verb.padEnd(14)}${(await open()).summary}`),
  );
  return [
    'Usage: messaging-gateway <verb> [--json] [--help]',
    '',
    `  ${'start'.padEnd(14)}Starts the gateway: all services in this process`,
    ...rows,
    '',
    'Where the data are is told by the same variables as for the gateway: DATA_DIR, or DATABASE_URL and ENCRYPTION_KEY.',
    'Exit codes: 0 done, 1 failed, 2 not understood.',
  ].join('\n');
}

if (name === 'start' && !rest.includes('--help')) await import('../main.ts');
else await operate();
