import { setTimeout as wait } from 'node:timers/promises';
import {
  cacheTrustMs,
  changeOrganizationEpoch,
  type AnswerOf,
  type ReadCredentialGeneration,
} from '@messaging-gateway/contracts';
import type { IdentityTools } from '../tools.ts';

/** Beyond the gateways' trust in their cache, for clocks that do not run alike, milliseconds. */
const marginMs = 500;
const tryAgainMs = 250;

type Tools = Pick<IdentityTools, 'sql' | 'log'>;

/**
 * Carries out a revocation. When this returns, no gateway accepts what was revoked, whatever it has cached: the mark is
 * written before the commit, so that a crash in between leaves nothing revoked without it. When it can't be written,
 * all cached credentials get out of date instead (another generation), and the answer waits until every gateway has
 * heard of that or has stopped trusting its cache.
 *
 * @see docs/decisions/0281-revocations-without-a-mark.md
 */
export async function revoking<T>(tools: Tools, mark: () => Promise<void>, commit: () => Promise<T>): Promise<T> {
  const marked = await isMarked(mark);
  const result = await commit();
  if (!marked) await distrust(tools, mark);
  return result;
}

/**
 * Carries out a change of what credentials of an organization allow: roles, permissions, members. When this returns,
 * every gateway has asked for them anew or does so at their next request, as for a revocation. The epoch comes after
 * the commit: one before it would let a gateway keep what it read in between.
 */
export async function changing<T>(
  tools: Tools & Pick<IdentityTools, 'cache'>,
  organizationId: string,
  commit: () => Promise<T>,
): Promise<T> {
  const mark = () => changeOrganizationEpoch(tools.cache, organizationId);
  const result = await commit();
  if (!(await isMarked(mark))) await distrust(tools, mark);
  return result;
}

/** The mark of a command, as the cache may be in the memory of another process: all credentials are asked for again. */
export const outOfReach = (): Promise<void> => Promise.reject(new Error('The cache is not in reach.'));

async function distrust({ sql, log }: Tools, mark: () => Promise<void>): Promise<void> {
  log.warn('A revocation could not be marked in the cache; gateways ask for all credentials again');
  await sql.query('UPDATE credential_generation SET generation = gen_random_uuid()');
  const until = performance.now() + cacheTrustMs + marginMs;
  while (performance.now() < until) {
    if (await isMarked(mark)) return;
    await wait(tryAgainMs);
  }
}

const isMarked = (mark: () => Promise<void>): Promise<boolean> =>
  mark().then(
    () => true,
    () => false,
  );

export async function readGeneration({ sql }: Tools): Promise<AnswerOf<typeof ReadCredentialGeneration>> {
  const [row] = await sql.query<{ generation: string }>('SELECT generation FROM credential_generation');
  if (row === undefined) throw new Error('The generation of credentials is missing.');
  return row;
}
