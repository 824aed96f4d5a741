import type { Sql } from '@messaging-gateway/service';

/** A chat that may be a person's. */
interface Chat {
  readonly profile_id: string;
  readonly jid: string;
}

/** The person of a conversation, as far as it shows them. */
export interface Correspondent {
  readonly id: string;
  /** The name that was given to the contact, else the one that the person goes by. */
  readonly name: string | undefined;
}

interface Row {
  readonly id: string;
  readonly profile_id: string | null;
  readonly phone: string | null;
  readonly lid: string | null;
  readonly name: string | null;
  readonly push_name: string | null;
}

/** The contacts that chats are with: a profile's own before one of the whole organization. */
export async function contactsOfChats(
  sql: Sql,
  organizationId: string | undefined,
  chats: readonly Chat[],
): Promise<(chat: Chat) => Correspondent | undefined> {
  const people = chats.filter(({ jid }) => !jid.endsWith('@g.us')).map(({ jid }) => jid);
  if (organizationId === undefined || people.length === 0) return () => undefined;
  const rows = await sql.query<Row>(
    `SELECT id, profile_id, phone, lid, name, push_name FROM contacts
      WHERE organization_id = $1 AND NOT deleted AND (phone = ANY ($2) OR lid = ANY ($3))`,
    [
      organizationId,
      people.filter((jid) => jid.endsWith('@c.us')).map((jid) => jid.slice(0, -'@c.us'.length)),
      people.filter((jid) => jid.endsWith('@lid')),
    ],
  );
  const found = new Map<string, Correspondent>();
  for (const { id, profile_id, phone, lid, name, push_name } of rows) {
    const shown = { id, name: name ?? push_name ?? undefined };
    if (lid !== null) found.set(`${profile_id ?? ''} ${lid}`, shown);
    if (phone !== null) found.set(`${profile_id ?? ''} ${phone}@c.us`, shown);
  }
  return ({ profile_id, jid }) => found.get(`${profile_id} ${jid}`) ?? found.get(` ${jid}`);
}
