import {
  DescribeProfile,
  type CreateQuickReply,
  type DeleteQuickReply,
  type ListQuickReplies,
  type Page,
  type UpdateQuickReply,
} from '@messaging-gateway/contracts';
import { quotaReached, Refused } from '@messaging-gateway/messaging';
import { assertProfileAllowed, type InputOf, type ServiceTools } from '@messaging-gateway/service';
import { entityPage, type EntityOrder } from '@messaging-gateway/service/entities';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireProfile } from '../answerers/answerer-records.ts';
import { askedBy } from '../metadata.ts';
import { QuickReplyEntity, quickReplyIdOf, quickReplyStream, type QuickReplyRecord } from './quick-reply.ts';

type Tools = Pick<ServiceTools<unknown>, 'ask' | 'clock' | 'store'>;

/** Of an organization, at most. Requests at the same moment may exceed it by a few. */
const most = 5000;
const byShortcut: readonly EntityOrder<QuickReplyRecord>[] = [
  { property: 'shortcut', kind: 'text' },
  { property: 'id', kind: 'id' },
];

export async function createQuickReply(tools: Tools, input: InputOf<typeof CreateQuickReply>): Promise<object> {
  const { ask, clock, store } = tools;
  const { body, caller, context } = input;
  const { profileId = null, shortcut, title, message } = body;
  const { organizationId } = caller;
  requireProfile(caller, profileId);
  if (profileId !== null) await ask(DescribeProfile, { organizationId, profileId });
  const id = quickReplyIdOf(organizationId, profileId, shortcut);
  const others = await context.em().count(QuickReplyEntity, { deleted: false, id: { $ne: id } });
  if (others >= most) throw quotaReached('quick replies', most);
  const fields = { id, profileId, shortcut, title, message };
  const at = new Date(clock.now()).toISOString();
  await store.handle(
    quickReplyStream,
    id,
    { type: 'Create', fields, requestId: context.resourceId, at },
    { metadata: askedBy(input), onAppended: context.appended },
  );
  return shown(await find(context.em(), id));
}

/** Of this profile those of all profiles too. @throws Refused FORBIDDEN */
export async function listQuickReplies({
  query,
  caller,
  context,
}: InputOf<typeof ListQuickReplies>): Promise<Page<object>> {
  const { profileId } = query;
  if (profileId !== undefined) assertProfileAllowed(caller, profileId);
  const profileIds = profileId === undefined ? caller.profileIds : [profileId];
  const where = {
    deleted: false,
    ...(profileIds !== undefined && { $or: [{ profileId: null }, { profileId: { $in: [...profileIds] } }] }),
  };
  const em = context.em();
  const page = await entityPage(em, QuickReplyEntity, { where, order: byShortcut, query });
  return { ...page, items: page.items.map(shown), total: await em.count(QuickReplyEntity, where) };
}

export async function updateQuickReply(tools: Tools, input: InputOf<typeof UpdateQuickReply>): Promise<object> {
  const { clock, store } = tools;
  const { params, body, caller, context } = input;
  const { id, profileId } = await find(context.em(), params.id);
  requireProfile(caller, profileId);
  await store.handle(
    quickReplyStream,
    id,
    { type: 'Update', changes: body, at: new Date(clock.now()).toISOString() },
    { metadata: askedBy(input), onAppended: context.appended },
  );
  return shown(await find(context.em(), id));
}

export async function deleteQuickReply(tools: Tools, input: InputOf<typeof DeleteQuickReply>): Promise<void> {
  const { clock, store } = tools;
  const { params, caller, context } = input;
  const { id, profileId } = await find(context.em(), params.id);
  requireProfile(caller, profileId);
  await store.handle(
    quickReplyStream,
    id,
    { type: 'Delete', id, at: new Date(clock.now()).toISOString() },
    { metadata: askedBy(input), onAppended: context.appended },
  );
}

/** @throws Refused NOT_FOUND, also for another organization's */
async function find(em: EntityManager, id: string): Promise<QuickReplyRecord> {
  const found = await em.findOne(QuickReplyEntity, { id, deleted: false });
  if (found === null) throw new Refused('NOT_FOUND', 'There is no such quick reply.');
  return found;
}

const shown = ({ id, profileId, shortcut, title, message, createdAt }: QuickReplyRecord): object => ({
  id,
  profileId: profileId ?? null,
  shortcut,
  title,
  message,
  createdAt: createdAt.toISOString(),
});
