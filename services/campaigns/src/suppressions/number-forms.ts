import { parseRecipient, type DataOf, type EventEnvelope, type MessageSent } from '@messaging-gateway/contracts';
import { causedBy } from '../metadata.ts';
import type { SuppressionTools } from './suppressing.ts';

/** Stores that the network returned another form of a number, so that an opt-out under either form holds for both. */
export async function storeNumberForm(
  { sql, keys }: Pick<SuppressionTools, 'sql' | 'keys'>,
  event: EventEnvelope<DataOf<typeof MessageSent>>,
): Promise<void> {
  const { to, requestedTo } = event.data;
  const [requested, returned] = [requestedTo ?? '', to].map((jid) => parseRecipient(jid)?.phone);
  if (requested === undefined || returned === undefined || requested === returned) return;
  const digests = await keys.make(causedBy(event));
  if (digests === undefined) return;
  await sql.query(
    `INSERT INTO number_forms (organization_id, requested_digest, returned_digest) VALUES ($1, $2, $3)
     ON CONFLICT (organization_id, requested_digest) DO UPDATE SET returned_digest = excluded.returned_digest`,
    [
      event.organizationId,
      digests.namesOf({ phone: requested }).phoneDigest,
      digests.namesOf({ phone: returned }).phoneDigest,
    ],
  );
}

/**
 * SQL: digests of the forms of a number that are known, itself included.
 *
 * @param organization SQL of the id of the organization
 * @param digest SQL of the digest of the number
 */
export const formsOf = (organization: string, digest: string): string => `
  SELECT ${digest} UNION ALL
  SELECT f.returned_digest FROM number_forms f WHERE f.organization_id = ${organization} AND f.requested_digest = ${digest} UNION ALL
  SELECT f.requested_digest FROM number_forms f WHERE f.organization_id = ${organization} AND f.returned_digest = ${digest}`;
