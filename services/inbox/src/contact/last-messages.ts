import type { Sql } from '@messaging-gateway/service';

/** A contact as chats know it; without a profile it is the whole organization's. */
interface Who {
  readonly profile_id: string | null;
  readonly phone: string | null;
  readonly lid: string | null;
}

const jidsOf = ({ phone, lid }: Who): string[] => [
  ...(phone === null ? [] : [`${phone}@c.us`]),
  ...(lid === null ? [] : [lid]),
];

/**
 * When the newest message from or to each contact was written: read off the conversations, so that no message writes
 * to its contact. A contact of the whole organization has the newest of all profiles.
 */
export async function lastMessages(
  sql: Sql,
  organizationId: string,
  contacts: readonly Who[],
): Promise<(contact: Who) => Date | undefined> {
  const jids = [...new Set(contacts.flatMap(jidsOf))];
  const rows = await sql.query<{ profile_id: string; jid: string; at: Date }>(
    `SELECT c.profile_id, c.jid, last.at FROM conversations c
      CROSS JOIN LATERAL (SELECT m."timestamp" AS at FROM messages m WHERE m.id = c.last_message_id LIMIT 1) last
      WHERE c.organization_id = $1 AND c.jid = ANY ($2)`,
    [organizationId, jids],
  );
  const newest = new Map<string, Date>();
  const note = (key: string, at: Date): void => {
    const before = newest.get(key);
    if (before === undefined || at > before) newest.set(key, at);
  };
  for (const { profile_id, jid, at } of rows) {
    note(`${profile_id} ${jid}`, at);
    note(` ${jid}`, at);
  }
  return (contact) => {
    const found = jidsOf(contact).flatMap((jid) => newest.get(`${contact.profile_id ?? ''} ${jid}`) ?? []);
    return found.length === 0 ? undefined : new Date(Math.max(...found.map((at) => at.getTime())));
  };
}
