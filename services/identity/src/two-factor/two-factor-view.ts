import { view, type EventsOf } from '@messaging-gateway/event-sourcing';
import { defineEntity, p } from '@mikro-orm/core';
import { twoFactorStream } from './two-factor.ts';

/** Whether users log in with a second factor. */
export const TwoFactorRow = defineEntity({
  name: 'TwoFactorRow',
  tableName: 'two_factors',
  properties: { userId: p.uuid().primary(), enabled: p.boolean(), backupCodesRemaining: p.integer() },
});

const types = ['TwoFactorEnabled', 'BackupCodesRenewed', 'TwoFactorCodeUsed', 'TwoFactorDisabled'] as const;

/** Writes who logs in with a second factor now. */
export const twoFactorsView = view({
  name: 'two_factors',
  of: twoFactorStream,
  on: types,
  tables: ['two_factors'],
  rows: (events) => events.map(rowOf),
  sql: `
    INSERT INTO {schema}.two_factors (user_id, enabled, backup_codes_remaining)
    SELECT given.user_id, given.enabled, given.backup_codes_remaining
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(user_id uuid, enabled boolean, backup_codes_remaining int)
    ON CONFLICT (user_id) DO UPDATE
       SET enabled = excluded.enabled, backup_codes_remaining = excluded.backup_codes_remaining`,
});

function rowOf(event: EventsOf<typeof twoFactorStream, (typeof types)[number]>): object {
  switch (event.type) {
    case 'TwoFactorEnabled':
    case 'BackupCodesRenewed':
    case 'TwoFactorCodeUsed':
      return { user_id: event.data.userId, enabled: true, backup_codes_remaining: event.data.remaining };
    case 'TwoFactorDisabled':
      return { user_id: event.data.userId, enabled: false, backup_codes_remaining: 0 };
  }
}
