import { namedUuids } from '@messaging-gateway/contracts';
import { view, type Decider, type StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

interface QuickReplyFields {
  readonly id: string;
  /** Null: for all profiles. */
  readonly profileId: string | null;
  readonly shortcut: string;
  readonly title: string;
  readonly message: string;
}

type Fact<Type extends string, Data> = { readonly type: Type; readonly data: Data };

export type QuickReplyEvent =
  | Fact<'QuickReplyCreated', QuickReplyFields & { readonly requestId: string; readonly at: string }>
  | Fact<'QuickReplyUpdated', QuickReplyFields & { readonly createdAt: string; readonly at: string }>
  | Fact<'QuickReplyDeleted', { readonly id: string; readonly at: string }>;

export type QuickReplyCommand =
  | { readonly type: 'Create'; readonly fields: QuickReplyFields; readonly requestId: string; readonly at: string }
  | {
      readonly type: 'Update';
      readonly changes: Partial<Pick<QuickReplyFields, 'title' | 'message'>>;
      readonly at: string;
    }
  | { readonly type: 'Delete'; readonly id: string; readonly at: string };

type State =
  | { readonly status: 'none' }
  | {
      readonly status: 'there';
      readonly requestId: string;
      readonly fields: QuickReplyFields;
      readonly createdAt: string;
    };

const uuidOf = namedUuids('b3f0d2c5-02c1-5c5b-8ee5-4f0f0d2a7d33');

/** The id follows from the shortcut, so that one shortcut is there once. */
export const quickReplyIdOf = (organizationId: string, profileId: string | null, shortcut: string): string =>
  uuidOf(`${organizationId} ${profileId ?? ''} ${shortcut}`);

function decide(command: QuickReplyCommand, state: State): readonly QuickReplyEvent[] {
  if (command.type === 'Create') return create(command, state);
  if (state.status === 'none') throw new Refused('NOT_FOUND', 'There is no such quick reply.');
  if (command.type === 'Delete') return [{ type: 'QuickReplyDeleted', data: { id: command.id, at: command.at } }];
  const { fields, createdAt } = state;
  const changed = { ...fields, ...command.changes };
  if (changed.title === fields.title && changed.message === fields.message) return [];
  return [{ type: 'QuickReplyUpdated', data: { ...changed, createdAt, at: command.at } }];
}

type Create = Extract<QuickReplyCommand, { type: 'Create' }>;

function create(command: Create, state: State): readonly QuickReplyEvent[] {
  const { fields, requestId, at } = command;
  if (state.status === 'there') {
    if (state.requestId === requestId) return [];
    throw new Refused('CONFLICT', 'There is a quick reply with this shortcut.', [
      { path: 'body.shortcut', message: 'is the shortcut of another quick reply' },
    ]);
  }
  return [{ type: 'QuickReplyCreated', data: { ...fields, requestId, at } }];
}

const fieldsOf = ({ id, profileId, shortcut, title, message }: QuickReplyFields): QuickReplyFields => ({
  id,
  profileId,
  shortcut,
  title,
  message,
});

export const quickReplyStream: StreamType<State, QuickReplyCommand, QuickReplyEvent> = {
  name: 'quick_reply',
  decider: {
    initial: { status: 'none' },
    decide,
    evolve: (state, { type, data }) => {
      if (type === 'QuickReplyDeleted') return { status: 'none' };
      if (type === 'QuickReplyUpdated') return state.status === 'there' ? { ...state, fields: fieldsOf(data) } : state;
      return { status: 'there', requestId: data.requestId, fields: fieldsOf(data), createdAt: data.at };
    },
  } satisfies Decider<State, QuickReplyCommand, QuickReplyEvent>,
  events: {
    QuickReplyCreated: { version: 1, personal: ['shortcut', 'title', 'message'] },
    QuickReplyUpdated: { version: 1, personal: ['shortcut', 'title', 'message'] },
    QuickReplyDeleted: { version: 1 },
  },
};

/** A quick reply as it is read. A deleted one has an id, and no texts. */
export const QuickReplyEntity = defineEntity({
  name: 'QuickReplyEntity',
  tableName: 'quick_replies',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    profileId: p.uuid().nullable(),
    shortcut: p.text(),
    title: p.text(),
    message: p.text(),
    deleted: p.boolean(),
    createdAt: p.datetime(3),
  },
});
export type QuickReplyRecord = InferEntity<typeof QuickReplyEntity>;

/** Quick replies as they stand. A deleted one keeps an empty row: a statement that inserts cannot delete. */
export const quickRepliesView = view({
  name: 'quick_replies',
  tables: ['quick_replies'],
  of: quickReplyStream,
  on: ['QuickReplyCreated', 'QuickReplyUpdated', 'QuickReplyDeleted'],
  rows: (events) =>
    events.map(({ type, data, metadata: { organizationId } }) =>
      type === 'QuickReplyDeleted'
        ? { id: data.id, organization_id: organizationId, deleted: true, created_at: data.at }
        : {
            id: data.id,
            organization_id: organizationId,
            profile_id: data.profileId,
            shortcut: data.shortcut,
            title: data.title,
            message: data.message,
            deleted: false,
            created_at: type === 'QuickReplyUpdated' ? data.createdAt : data.at,
          },
    ),
  sql: `
    INSERT INTO {schema}.quick_replies (id, organization_id, profile_id, shortcut, title, message, deleted, created_at)
    SELECT DISTINCT ON (given.id) given.id, given.organization_id, given.profile_id, given.shortcut, given.title, given.message,
           given.deleted, given.created_at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             id uuid, organization_id uuid, profile_id uuid, shortcut text, title text, message text, deleted boolean,
             created_at timestamptz)
     ORDER BY given.id, rows.ordinal DESC
    ON CONFLICT (id) DO UPDATE SET
      shortcut = excluded.shortcut, title = excluded.title, message = excluded.message, deleted = excluded.deleted,
      created_at = excluded.created_at`,
});
