import type { AnswerOf, ListIntegrations, ReadIntegrations } from '@messaging-gateway/contracts';
import { sealedFor } from '@messaging-gateway/runtime';
import type { Static } from 'typebox';
import type { IdentityTools } from '../tools.ts';
import { integrationsStream } from './documents.ts';

/** Settings of an organization for other products, for the service that speaks to them: sealed, also in one process. */
export async function readIntegrations(
  { store, encryption }: Pick<IdentityTools, 'store' | 'encryption'>,
  { organizationId }: Static<(typeof ReadIntegrations)['body']>,
): Promise<AnswerOf<typeof ReadIntegrations>> {
  const { state, version } = await store.load(integrationsStream, organizationId);
  return { version, settings: sealedFor(encryption, organizationId, state) };
}

const prefix = `${integrationsStream.name}-`;

/** Organizations with settings for other products, by the first event of each stream, as there is no view. */
export async function listIntegrations(
  { sql }: Pick<IdentityTools, 'sql'>,
  { after, limit }: Static<(typeof ListIntegrations)['body']>,
): Promise<AnswerOf<typeof ListIntegrations>> {
  const rows = await sql.query<{ id: string }>(
    `SELECT substr(stream, length($1) + 1) AS id FROM events
      WHERE starts_with(stream, $1) AND version = 1 AND ($2::text IS NULL OR stream > $1 || $2)
      ORDER BY stream LIMIT $3`,
    [prefix, after ?? null, limit],
  );
  const organizationIds = rows.map(({ id }) => id);
  return { organizationIds, next: rows.length < limit ? null : (organizationIds.at(-1) ?? null) };
}
