import { v7 } from 'uuid';
import type { InboxFixture } from '../inbox.fixture.ts';

/** A contact as it lies in the table. */
export interface ContactRow {
  readonly id: string;
  readonly organization_id: string;
  readonly profile_id: string | null;
  readonly phone: string | null;
  readonly lid: string | null;
  readonly name: string | null;
  readonly push_name: string | null;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly blocked: boolean;
  readonly deleted: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

const longAgo = '2026-01-01T00:00:00.000Z';
export const asOf = '2026-02-01T00:00:00.000Z';
export const later = '2026-02-01T00:00:00.001Z';

/** A contact of the whole organization, without a name, a phone or a LID. */
export const contactRow = (fixture: InboxFixture, differences: Partial<ContactRow> = {}): ContactRow => ({
  id: v7(),
  organization_id: fixture.caller.organizationId,
  profile_id: null,
  phone: null,
  lid: null,
  name: null,
  push_name: null,
  tags: [],
  metadata: {},
  blocked: false,
  deleted: false,
  created_at: longAgo,
  updated_at: longAgo,
  ...differences,
});

/** Writes contacts as no door would let them in: any set of them. */
export async function write(fixture: InboxFixture, rows: readonly ContactRow[]): Promise<void> {
  await fixture.service.sql.query(
    'INSERT INTO contacts SELECT rows.* FROM jsonb_populate_recordset(NULL::contacts, $1::jsonb) rows',
    [JSON.stringify(rows)],
  );
}
