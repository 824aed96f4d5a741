import type { Operation } from '@messaging-gateway/contracts';
import type { Belongings } from './full-tenant.ts';

type Schema = NonNullable<Operation['body']>;
type Belonging = keyof Belongings;
/** Of a tenant, or of one profile. */
export type Ids = Readonly<Partial<Record<Belonging, string>>>;

/** A place of a request where an id stands. */
export interface Slot {
  readonly part: 'path' | 'query' | 'body';
  readonly name: string;
  readonly belonging: Belonging;
  readonly isList: boolean;
}

/** Resources by the name of their id, wherever it stands. */
const byName: Readonly<Record<string, Belonging>> = {
  organizationId: 'organization',
  orgId: 'organization',
  userId: 'member',
  accountId: 'account',
  workspaceId: 'workspace',
  roleId: 'role',
  profileId: 'profile',
  profileIds: 'profile',
  linkPageId: 'linkPage',
  messageId: 'message',
  messageIds: 'message',
  quotedMessageId: 'message',
  conversationId: 'conversation',
  contactId: 'contact',
  batchId: 'batch',
  deliveryId: 'delivery',
  resourceId: 'profile',
  templateId: 'template',
  order: 'flow',
};

/** Resources of an `:id`, by what stands before it. */
const byPlace: Readonly<Record<string, Belonging>> = {
  '/accounts/': 'account',
  '/profiles/': 'profile',
  '/messages/': 'message',
  '/ai/knowledge/': 'knowledge',
  '/conversations/': 'conversation',
  '/contacts/': 'contact',
  '/suppressions/': 'suppression',
  '/webhooks/': 'webhook',
  '/templates/': 'template',
  '/broadcast/': 'broadcast',
  '/automation/': 'flow',
  '/autoreply/': 'rule',
  '/autoreply/quick-replies/': 'quickReply',
  '/automation/runs/': 'run',
  '/api-keys/': 'apiKey',
  '/auth/sessions/': 'session',
  '/organizations/members/': 'member',
  '/workspaces/': 'workspace',
  '/rbac/roles/': 'role',
  '/rbac/organizations/': 'organization',
  '/notifications/': 'notification',
  '/media/:organizationId/:place/': 'upload',
};

/** Texts in paths that name nothing which a tenant owns. */
const constants: Readonly<Record<string, string>> = {
  phone: '4915120000999',
  place: 'uploads',
  groupId: '120363000000000000@g.us',
};
/** Fields of bodies that end like ids and name nothing which a tenant owns. */
const others = new Set(['chatId']);

function belongingOf({ method, path, name: operation }: Operation, name: string): Belonging | undefined {
  if (name === 'id') {
    const before = path.slice(0, path.indexOf(':id'));
    if (before === '/messages/schedule/') return method === 'GET' ? 'profile' : 'scheduled';
    if (before === '/ai/knowledge/' && method === 'GET') return 'profile';
    // It asks for a token of its own, and for no credential of a tenant.
    if (before === '/integrations/chatwoot/') return undefined;
    const found = byPlace[before];
    if (found === undefined)
      throw new Error(
        `${operation}: tell end-to-end/tenants/slots.ts what ${path} names, and full-tenant.ts to have one.`,
      );
    return found;
  }
  if (name in constants || others.has(name)) return undefined;
  const found = byName[name];
  if (found === undefined && /Ids?$/.test(name))
    throw new Error(`${operation}: tell end-to-end/tenants/slots.ts what ${name} is, and full-tenant.ts to have one.`);
  return found;
}

/** Every place of an operation that takes the id of something a tenant owns, from its contract. */
export function slotsOf(operation: Operation): Slot[] {
  const slot = (part: Slot['part'], name: string, schema?: Schema): Slot[] => {
    const belonging = belongingOf(operation, name);
    return belonging === undefined
      ? []
      : [{ part, name, belonging, isList: (name === 'order' || name.endsWith('s')) && schema !== undefined }];
  };
  const fields = (schema: unknown): [string, Schema][] =>
    Object.entries((schema as { properties?: Record<string, Schema> } | undefined)?.properties ?? {});
  return [
    ...[...operation.path.matchAll(/:([^/]+)/g)].flatMap(([, name = '']) => slot('path', name)),
    ...fields(operation.query).flatMap(([name]) => slot('query', name)),
    ...bodyFields(operation.body).flatMap(([name, schema]) => slot('body', name, schema)),
  ];
}

/** Of all forms that the body can have. */
function bodyFields(schema: unknown): [string, Schema][] {
  const { properties, ...forms } = (schema ?? {}) as { properties?: Record<string, Schema> } & Forms;
  const { anyOf = [], allOf = [], oneOf = [] } = forms;
  const all = [...Object.entries(properties ?? {}), ...[...anyOf, ...allOf, ...oneOf].flatMap(bodyFields)];
  return [...new Map(all)].filter(([name]) => name !== 'file');
}

type Forms = Readonly<Partial<Record<'anyOf' | 'allOf' | 'oneOf', unknown[]>>>;

/** Has one of everything that any operation names. */
export const placeholders: Ids = Object.fromEntries(
  [...Object.values(byName), ...Object.values(byPlace), 'scheduled'].map((belonging) => [belonging, belonging]),
);

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** The field of a form that holds a file; the other fields are those of the body. */
  readonly upload?: string;
}

/**
 * A request of an operation in which each slot holds an id.
 *
 * @param idOf the id for a slot; undefined leaves it out, where it may be
 */
export function requestOf(operation: Operation, idOf: (slot: Slot) => string | undefined, url: string): Asked {
  const slots = slotsOf(operation);
  const inPath = new Map(slots.filter(({ part }) => part === 'path').map((slot) => [slot.name, idOf(slot)]));
  const path = operation.path.replaceAll(/:([^/]+)/g, (_, name: string) => inPath.get(name) ?? constants[name] ?? '');
  const query = slots
    .filter(({ part }) => part === 'query')
    .flatMap((slot) => {
      const id = idOf(slot);
      return id === undefined ? [] : [`${slot.name}=${id}`];
    });
  return {
    method: operation.method,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    body: operation.method === 'GET' ? undefined : bodyOf(operation, slots, idOf, url),
    ...(operation.upload !== undefined && { upload: operation.upload }),
  };
}

function bodyOf(
  operation: Operation,
  slots: readonly Slot[],
  idOf: (slot: Slot) => string | undefined,
  url: string,
): unknown {
  const inBody = slots.filter(({ part }) => part === 'body');
  if (operation.example === undefined && inBody.length === 0) return undefined;
  const body = { ...(operation.example as Record<string, unknown> | undefined) };
  if ('url' in body) body['url'] = url;
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  if ('scheduledAt' in body) body['scheduledAt'] = tomorrow;
  if (['MuteConversation', 'HandoverConversation'].includes(operation.name)) body['until'] = tomorrow;
  for (const slot of inBody) {
    const id = idOf(slot);
    if (id !== undefined) body[slot.name] = slot.isList ? [id] : id;
  }
  return body;
}
