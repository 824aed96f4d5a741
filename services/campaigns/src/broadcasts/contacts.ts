import type { Sql } from '@messaging-gateway/service';
import { leaveOut } from './leaving-out.ts';

/** Changes of contacts while broadcasts run, as far as they are among the recipients. */
export class Contacts {
  readonly #sql: Sql;
  readonly #now: () => number;

  constructor(sql: Sql, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  /**
   * Leaves a blocked contact out where it was not released; where it was, this is kept should the message come back.
   * Nobody is taken in again.
   */
  async blocked(contactId: string): Promise<void> {
    await this.#sql.query('UPDATE audience SET blocked = true WHERE contact_id = $1 AND NOT blocked', [contactId]);
    await this.#leaveOut('a.contact_id = $3', contactId, 'BLOCKED');
  }

  /** A contact is called otherwise now: whoever is left is written to by that name. */
  async renamed(contactId: string, name: string | null): Promise<void> {
    await this.#sql.query('UPDATE audience SET name = $2 WHERE contact_id = $1 AND name IS DISTINCT FROM $2', [
      contactId,
      name,
    ]);
  }

  /** A person who was two contacts is one, and gets one message. It keeps the id that it has. */
  async merged(contactId: string, into: string): Promise<void> {
    await this.#sql.query('UPDATE audience SET contact_id = $2 WHERE contact_id = $1', [contactId, into]);
    const another = `SELECT FROM audience other WHERE other.audience_id = a.audience_id AND other.contact_id = a.contact_id
      AND (other.place < a.place OR other.status <> 'pending')`;
    await this.#leaveOut(`a.contact_id = $3 AND EXISTS (${another})`, into, deleted);
  }

  /** Leaves a deleted contact out where it was not released, and removes from all rows who it was. */
  async deleted(contactId: string): Promise<void> {
    await this.#leaveOut('a.contact_id = $3', contactId, deleted);
    const rows = await this.#sql.query<{ audience_id: string; place: number; status: string }>(
      `UPDATE audience SET contact_id = NULL, jid = NULL, lid = NULL, phone = NULL, name = NULL, fields = '{}' WHERE contact_id = $1
       RETURNING audience_id, place, status`,
      [contactId],
    );
    // Whose message came back between the two.
    const back = rows.filter(({ status }) => status === 'pending');
    if (back.length === 0) return;
    const values = [back.map(({ audience_id: id }) => id), back.map(({ place }) => place)];
    const some = { text: '(a.audience_id, a.place) IN (SELECT * FROM unnest($3::uuid[], $4::int[]))', values };
    await leaveOut(this.#sql, some, deleted, this.#now());
  }

  #leaveOut(text: string, contactId: string, code: string): Promise<void> {
    return leaveOut(this.#sql, { text, values: [contactId] }, code, this.#now());
  }
}

const deleted = 'CONTACT_DELETED';
