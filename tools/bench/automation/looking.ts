import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateFlow, MessageReceived, type DataOf } from '@messaging-gateway/contracts';
import { startPostgres } from '@messaging-gateway/postgres';
import pg from 'pg';
import { v7 } from 'uuid';
import { automationTest, type AutomationTest } from '../../../services/automation/src/testing/automation-test.ts';

/** Cost to automation of messages that nothing answers. Milliseconds of processor time of its process. */
export interface Looking {
  /** Nothing answers for the profile. */
  readonly withoutFlows: { readonly cpuMs: number; readonly statements: number };
  /** A hundred flows that do not match, with 100 keywords or a pattern each. */
  readonly hundredFlows: { readonly cpuMs: number; readonly statements: number };
  /** Twenty worst-case patterns together, for one text of 65,536 characters. */
  readonly worstPatternsMs: number;
}

const messages = 20_000;
const text = 'Good morning, do you have any of the blue ones left in my size, and what would they cost with shipping?';
const longest = 65_536;

/** Automation alone on a PostgreSQL of its own, given messages as its reaction gets them. */
export async function measureLooking(): Promise<Looking> {
  const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-looking-'));
  const server = await startPostgres({ directory, password: 'bench' });
  process.env['TEST_POSTGRES_URL'] = server.url;
  const test = await automationTest();
  try {
    const withoutFlows = await costOf(test, v7(), messages);
    return {
      withoutFlows,
      hundredFlows: await costOf(test, await profileWith(test, 100, usualTrigger), messages / 10),
      worstPatternsMs: await worstPatterns(test),
    };
  } finally {
    await test.stop();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Half of them keywords, half of them patterns; none is in the text. */
const usualTrigger = (number: number): object =>
  number % 2 === 0
    ? { type: 'keyword', value: Array.from({ length: 100 }, (_, word) => `word${number}of${word}`) }
    : { type: 'regex', value: `(?i)\\b(order|invoice|parcel) +no\\. *${number}(\\d{3,9})\\b` };

/** Each of these takes other engines minutes for the text of some of them. */
const worst = [
  '(a+)+$',
  '(a|aa)+$',
  '(a|a)*b',
  '(a?){30}a{30}c',
  '(x+x+)+y',
  String.raw`([a-z]+)*\d`,
  String.raw`^(\w+\s?)*$`,
  '((a*)*)*c',
  '(.*)*x',
  '(.*?,){20}P',
  '[a-q][^u-z]{13}x',
  '(?i)(hello|help|held|hell)+!',
  String.raw`(\w+)@(\w+)\.com`,
  '(.+)+=',
  String.raw`\b(\w+)\b.*\b(\w+)\bz`,
  '[ab]*a[ab]{20}c',
  '(ab|a|b)*c$',
  String.raw`([01]?[0-9][0-9]?\.){10}z`,
  '(?s)a.{180}[^ab!]',
  '(?s)[ab]*a[ab]{100}[0-9]',
];
const pieces = ['a', 'ab', 'abaab', 'ab ', '1.', 'Hell', 'a,'];

/** The longest time that one text takes. */
async function worstPatterns(test: AutomationTest): Promise<number> {
  const trigger = (number: number): object => ({ type: 'regex', value: worst[number] });
  const profileId = await profileWith(test, worst.length, trigger);
  const [handle, told] = reactionOf(test);
  let longestMs = 0;
  // Once to learn who answers, and to let the engine be compiled.
  for (const isMeasured of [false, true])
    for (const piece of pieces) {
      const body = `${piece.repeat(longest).slice(0, longest - 1)}!`;
      const before = process.cpuUsage();
      await handle(told(profileId, body));
      if (isMeasured) longestMs = Math.max(longestMs, cpuSince(before));
    }
  return longestMs;
}

async function profileWith(test: AutomationTest, count: number, trigger: (number: number) => object): Promise<string> {
  const profileId = v7();
  const actions = [{ type: 'send', message: { type: 'text', text: 'Hello' } }];
  for (let number = 0; number < count; number += 1)
    await test.ask(CreateFlow, { body: { profileId, name: `Flow ${number}`, trigger: trigger(number), actions } });
  return profileId;
}

type Told = DataOf<typeof MessageReceived>;
type Handed = readonly [data: Told, event: { readonly organizationId: string; readonly profileId: string }];

/** The reaction of the service, and what it is given. */
function reactionOf({ service, caller }: AutomationTest) {
  const row = service.definition.rows.find((one) => one.row === 'reaction' && one.contract === MessageReceived);
  if (row?.row !== 'reaction') throw new Error('Automation hears of no messages.');
  const handle = ([data, event]: Handed): Promise<void> => row.handler(data as never, event as never);
  const told = (profileId: string, body: string): Handed => {
    const timestamp = new Date(service.clock.now()).toISOString();
    const content = { type: 'text' as const, text: body };
    const data = { ...(MessageReceived.example as Told), id: v7(), body, content, timestamp };
    return [data, { organizationId: caller.organizationId, profileId }];
  };
  return [handle, told] as const;
}

async function costOf(test: AutomationTest, profileId: string, count: number) {
  const [handle, told] = reactionOf(test);
  const given = Array.from({ length: count }, (_, number) => told(profileId, `${text} ${number}`));
  for (let number = 0; number < count / 10; number += 1) await handle(told(profileId, `${text} ${number}`));
  const statements = countStatements();
  const before = process.cpuUsage();
  for (const one of given) await handle(one);
  const cpuMs = cpuSince(before) / count;
  return { cpuMs, statements: statements() };
}

/** Counts what this process asks PostgreSQL from now on. @returns ends that, and answers how many it were */
function countStatements(): () => number {
  const { query } = pg.Client.prototype;
  let count = 0;
  pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
    count += 1;
    return Reflect.apply(query, this, given) as never;
  };
  return () => {
    pg.Client.prototype.query = query;
    return count;
  };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
