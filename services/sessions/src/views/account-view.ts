import type { InlineView, RecordedEvent } from '@messaging-gateway/event-sourcing';
import type { AccountEvent } from '../account/account.ts';

type Recorded = RecordedEvent & AccountEvent;

const idOf = ({ stream }: RecordedEvent): string => stream.slice('account-'.length);
const events = (all: readonly RecordedEvent[]): readonly Recorded[] =>
  all.filter(({ stream }) => stream.startsWith('account-')) as unknown as readonly Recorded[];
const tables = ['accounts'];

export const accountsCreated: InlineView = {
  name: 'accounts created',
  tables,
  rows: (all) =>
    events(all).flatMap((event) =>
      event.type === 'AccountCreated'
        ? [{ id: idOf(event), organizationId: event.metadata.organizationId, ...event.data }]
        : [],
    ),
  sql: `insert into {schema}.accounts (id, organization_id, workspace_id, name, description, created_at, updated_at)
    select (row->>'id')::uuid, (row->>'organizationId')::uuid, (row->>'workspaceId')::uuid, row->>'name', row->>'description',
           (row->>'at')::timestamptz, (row->>'at')::timestamptz from {rows}
    on conflict (id) do nothing`,
};

export const accountsChanged: InlineView = {
  name: 'accounts changed',
  tables,
  rows: (all) =>
    events(all).flatMap((event) => (event.type === 'AccountChanged' ? [{ id: idOf(event), ...event.data }] : [])),
  sql: `update {schema}.accounts set name = row->>'name', description = row->>'description', updated_at = (row->>'at')::timestamptz
    from {rows} where id = (row->>'id')::uuid`,
};

export const accountsDeleted: InlineView = {
  name: 'accounts deleted',
  tables,
  rows: (all) => events(all).flatMap((event) => (event.type === 'AccountDeleted' ? [{ id: idOf(event) }] : [])),
  sql: `delete from {schema}.accounts using {rows} where id = (row->>'id')::uuid`,
};
