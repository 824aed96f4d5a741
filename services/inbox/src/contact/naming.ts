import type { AnswerOf, NamePeople } from '@messaging-gateway/contracts';
import type { Static } from 'typebox';
import type { ContactTools } from './tools.ts';

interface Row {
  readonly phone: string | null;
  readonly lid: string | null;
  readonly name: string;
}

/** Names of people by JID: what they call themselves on the network, else as they were saved; those of a profile's own contacts first. */
export async function namePeople(
  { sql }: ContactTools,
  { organizationId, profileId, jids }: Static<(typeof NamePeople)['body']>,
): Promise<AnswerOf<typeof NamePeople>> {
  const rows = await sql.query<Row>(
    `SELECT phone, lid, coalesce(push_name, name) AS name FROM contacts
      WHERE organization_id = $1 AND (profile_id = $2 OR profile_id IS NULL) AND NOT deleted
        AND (phone = ANY ($3) OR lid = ANY ($4)) AND coalesce(push_name, name) IS NOT NULL
      ORDER BY profile_id IS NULL DESC`,
    [
      organizationId,
      profileId,
      jids.filter((jid) => jid.endsWith('@c.us')).map((jid) => jid.slice(0, -'@c.us'.length)),
      jids.filter((jid) => jid.endsWith('@lid')),
    ],
  );
  const names: Record<string, string> = {};
  for (const { phone, lid, name } of rows) {
    if (lid !== null) names[lid] = name;
    if (phone !== null) names[`${phone}@c.us`] = name;
  }
  return { names: Object.fromEntries(jids.flatMap((jid) => (names[jid] === undefined ? [] : [[jid, names[jid]]]))) };
}
