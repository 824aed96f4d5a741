import {
  conversationIdOf,
  namedUuids,
  type DataOf,
  type EventEnvelope,
  type SessionGroupNamed,
} from '@messaging-gateway/contracts';
import { view, type Decider, type StreamType } from '@messaging-gateway/event-sourcing';
import { causedBy } from '../fact.ts';
import type { ServiceTools } from '@messaging-gateway/service';

interface Named {
  readonly conversationId: string;
  readonly profileId: string;
  readonly name: string;
  /** ISO 8601. */
  readonly since: string;
}

type GroupNameEvent = { type: 'GroupNamed'; data: Named };
type GroupNameCommand = { readonly type: 'Name' } & Named;

interface GroupName {
  readonly name?: string;
  readonly since?: string;
}

/** The newest name holds, in whatever order they arrive; of two of the same second the one that arrives later. */
function decide({ type: _type, ...named }: GroupNameCommand, { name, since }: GroupName): readonly GroupNameEvent[] {
  const isOld = since !== undefined && named.since < since;
  return isOld || named.name === name ? [] : [{ type: 'GroupNamed', data: named }];
}

export const groupName: Decider<GroupName, GroupNameCommand, GroupNameEvent> = {
  initial: {},
  decide,
  evolve: (_, { data: { name, since } }) => ({ name, since }),
};

export const groupNameStream: StreamType<GroupName, GroupNameCommand, GroupNameEvent> = {
  name: 'group-name',
  decider: groupName,
  events: { GroupNamed: { version: 1, personal: ['name'] } },
};

/** Names of groups, by the id of the conversation, which may not be there (yet). */
export const groupNamesView = view({
  name: 'group_names',
  tables: ['group_names'],
  of: groupNameStream,
  on: ['GroupNamed'],
  rows: (events) =>
    events.map(({ data: { conversationId, profileId, name }, metadata: { organizationId } }) => ({
      conversation_id: conversationId,
      organization_id: organizationId,
      profile_id: profileId,
      name,
    })),
  sql: `
    INSERT INTO {schema}.group_names (conversation_id, organization_id, profile_id, name)
    SELECT DISTINCT ON (given.conversation_id) given.conversation_id, given.organization_id, given.profile_id, given.name
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             conversation_id uuid, organization_id uuid, profile_id uuid, name text)
     ORDER BY given.conversation_id, rows.ordinal DESC
    ON CONFLICT (conversation_id) DO UPDATE SET name = excluded.name`,
});

/** Conversations have streams of their own under their ids. */
const streamIdOf = namedUuids('4d0f6b57-6f5d-5f2c-9a77-9f2f1c0d7b3a');

/** Notes what a group is called. */
export async function nameGroup(
  { store }: Pick<ServiceTools<unknown>, 'store'>,
  { profileId, group, name, since }: DataOf<typeof SessionGroupNamed>,
  event: EventEnvelope,
): Promise<void> {
  const conversationId = conversationIdOf(profileId, group);
  const command = { type: 'Name', conversationId, profileId, name, since } as const;
  await store.handle(groupNameStream, streamIdOf(conversationId), command, { metadata: causedBy(event, profileId) });
}
