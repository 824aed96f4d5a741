import type { InlineView, RecordedEvent } from '@messaging-gateway/event-sourcing';
import type { EngineKind } from '../engine/engine.ts';
import { engineOfOld } from '../profile/profile.ts';
import type { ProfileEvent } from '../profile/profile-events.ts';

type Recorded = RecordedEvent & ProfileEvent;

const idOf = ({ stream }: RecordedEvent): string => stream.slice('profile-'.length);
const events = (all: readonly RecordedEvent[]): readonly Recorded[] =>
  all.filter(({ stream }) => stream.startsWith('profile-')) as unknown as readonly Recorded[];
const tables = ['profiles'];

export const profilesCreated: InlineView = {
  name: 'profiles created',
  tables,
  rows: (all) =>
    events(all).flatMap((event) =>
      event.type === 'ProfileCreated'
        ? [{ id: idOf(event), organizationId: event.metadata.organizationId, ...event.data }]
        : [],
    ),
  sql: `insert into {schema}.profiles (id, organization_id, account_id, workspace_id, name, engine, status, is_wanted, since, created_at, updated_at)
    select (row->>'id')::uuid, (row->>'organizationId')::uuid, (row->>'accountId')::uuid, (row->>'workspaceId')::uuid, row->>'name', row->>'engine',
           'disconnected', false, (row->>'at')::timestamptz, (row->>'at')::timestamptz, (row->>'at')::timestamptz from {rows}
    on conflict (id) do nothing`,
};

/** The columns that an event changes; null empties one. */
function patchOf(event: Recorded): object {
  switch (event.type) {
    case 'ProfileRenamed':
      return { name: event.data.name, updated_at: event.data.at };
    case 'ConnectionWanted':
      return { is_wanted: true };
    case 'ConnectionUnwanted':
      return { is_wanted: false };
    case 'StatusChanged':
      return { status: event.data.status, status_reason: event.data.reason ?? null, since: event.data.at };
    case 'Connected':
      return {
        status: 'connected',
        status_reason: null,
        since: event.data.at,
        last_connected_at: event.data.at,
        phone_number: event.data.phoneNumber,
        ...(event.data.pushName !== undefined && { push_name: event.data.pushName }),
      };
    case 'PushNameLearned':
      return { push_name: event.data.pushName };
    case 'Unlinked':
      return { phone_number: null, push_name: null };
    default:
      return {};
  }
}

/** The engine of a profile that has none yet: that of its first connect. */
function engineOf(event: Recorded): { readonly engine?: EngineKind } {
  if (event.type === 'Connected') return { engine: engineOfOld };
  const engine = event.type === 'ConnectionWanted' ? event.data.engine : undefined;
  return engine === undefined ? {} : { engine };
}

const text = ['name', 'status', 'status_reason', 'phone_number', 'push_name'];
const times = ['since', 'last_connected_at', 'updated_at'];
const set = (column: string, cast: string): string =>
  `${column} = case when row ? '${column}' then (row->>'${column}')${cast} else p.${column} end`;

export const profilesChanged: InlineView = {
  name: 'profiles changed',
  tables,
  rows: (all) => {
    const changing = events(all).filter(({ type }) => type !== 'ProfileCreated' && type !== 'ProfileDeleted');
    const [first] = changing;
    const patch = Object.assign({}, ...changing.map(patchOf), ...changing.map(engineOf).toReversed()) as object;
    return first === undefined || Object.keys(patch).length === 0 ? [] : [{ id: idOf(first), ...patch }];
  },
  sql: `update {schema}.profiles p set ${[...text.map((column) => set(column, '')), ...times.map((column) => set(column, '::timestamptz')), set('is_wanted', '::boolean')].join(', ')},
      engine = coalesce(p.engine, row->>'engine')
    from {rows} where p.id = (row->>'id')::uuid`,
};

export const profilesDeleted: InlineView = {
  name: 'profiles deleted',
  tables,
  rows: (all) => events(all).flatMap((event) => (event.type === 'ProfileDeleted' ? [{ id: idOf(event) }] : [])),
  sql: `delete from {schema}.profiles using {rows} where id = (row->>'id')::uuid`,
};
