import type {
  AnswerOf,
  BodyOf,
  ChangeGroup,
  ChangeParticipants,
  GroupDetail,
  MakeGroup,
  ParticipantResult,
  ReadGroups,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { EngineGroup, EngineGroups, ParticipantAction, ParticipantOutcome } from '../engine/engine.ts';
import type { Static } from 'typebox';
import type { Change, SessionData } from '../session-data/session-data-store.ts';

/** One group, or all groups of the profile. */
export async function readGroups(
  groups: EngineGroups,
  { groupId }: BodyOf<typeof ReadGroups>,
): Promise<AnswerOf<typeof ReadGroups>> {
  if (groupId !== undefined) return { groups: [answeredGroup(await groups.read(groupId))] };
  const found = await groups.list();
  // Hundreds of groups may have a thousand participants each.
  return { groups: found.map((group) => ({ ...answeredGroup(group), participants: [] })) };
}

/** A group that is made once, however often its request comes. */
export async function newGroup(
  groups: EngineGroups,
  data: SessionData,
  now: number,
  body: BodyOf<typeof MakeGroup>,
): Promise<AnswerOf<typeof MakeGroup>> {
  const { group, outcomes } = await makeGroup(groups, data, now, body);
  return { group: answeredGroup(group), results: answeredResults(outcomes, 'add') };
}

export async function changeGroup(
  groups: EngineGroups,
  { groupId, name, description, leave }: BodyOf<typeof ChangeGroup>,
): Promise<AnswerOf<typeof ChangeGroup>> {
  if (name !== undefined) await groups.rename(groupId, name);
  if (description !== undefined) await groups.describe(groupId, description);
  if (leave === true) await groups.leave(groupId);
  return {};
}

export async function changeParticipants(
  groups: EngineGroups,
  { groupId, action, people }: BodyOf<typeof ChangeParticipants>,
): Promise<AnswerOf<typeof ChangeParticipants>> {
  return { results: answeredResults(await groups.changeMembers(groupId, action, people), action) };
}

interface Order {
  /** The key of the group, the same for a repeat of the same request. */
  readonly groupKey: string;
  readonly name: string;
  /** JIDs. */
  readonly people: readonly string[];
  readonly description?: string | undefined;
}

interface Made {
  readonly id: string;
  readonly outcomes: readonly ParticipantOutcome[];
}

/** Clocks of the network and of this machine may differ by so much. */
const driftMs = 60_000;

/**
 * Makes a group once for each key. It is written down before the network is asked: a repeat after a crash, or after
 * an answer that never came, looks for a group of that name which the profile has made since, and goes on with that.
 *
 * @throws Refused what the network answers
 * @see docs/decisions/0380-groups-are-asked-of-the-network.md
 */
export async function makeGroup(
  groups: EngineGroups,
  data: SessionData,
  now: number,
  order: Order,
): Promise<{ group: EngineGroup; outcomes: readonly ParticipantOutcome[] }> {
  const { groupKey, description } = order;
  const record = groupRecord(data, groupKey);
  const { id, outcomes } =
    (await record.made()) ?? (await madeEarlier(groups, record, order)) ?? (await madeNow(groups, record, now, order));
  const group = await groups.read(id);
  if (description === undefined || description === (group.description ?? '')) return { group, outcomes };
  await groups.describe(id, description);
  return { group: { ...group, description }, outcomes };
}

/** Finds the group that an attempt of which nothing is known has made. */
async function madeEarlier(
  groups: EngineGroups,
  record: GroupRecord,
  { name, people }: Order,
): Promise<Made | undefined> {
  const askedAt = await record.askedAt();
  if (askedAt === undefined) return undefined;
  const since = askedAt - driftMs;
  const group = (await groups.list()).find((one) => one.isOwn && one.name === name && one.createdAt >= since);
  if (group === undefined) return undefined;
  const isIn = (person: string): boolean => group.members.some(({ jid, lid }) => jid === person || lid === person);
  const outcomes = people.map((person) => ({ person, status: isIn(person) ? 200 : 403 }));
  const made = { id: group.id, outcomes };
  await record.write({ at: askedAt, state: 'acknowledged' }, made);
  return made;
}

async function madeNow(groups: EngineGroups, record: GroupRecord, now: number, order: Order): Promise<Made> {
  await record.write({ at: now, state: 'handed-over' });
  try {
    const made = await groups.create(order.name, order.people);
    await record.write({ at: now, state: 'acknowledged' }, made);
    return made;
  } catch (error) {
    // Only without an answer there may be a group.
    if (error instanceof Refused && error.code !== 'ENGINE_TIMEOUT') await record.remove();
    throw error;
  }
}

type GroupRecord = ReturnType<typeof groupRecord>;

/** Kept as long as what is known of messages that were sent, and swept with that. */
function groupRecord(data: SessionData, groupKey: string) {
  const id = `group ${groupKey}`;
  const write = (sent: object | undefined, content: object | undefined): Promise<void> =>
    data.commit(
      [['sent', sent] as const, ['content', content] as const].map(([table, value]): Change => ({
        table,
        id,
        value: value && Buffer.from(JSON.stringify(value)),
      })),
    );
  const read = async <Value>(table: 'sent' | 'content'): Promise<Value | undefined> => {
    const [value] = await data.read(table, [id]);
    return value === undefined ? undefined : (JSON.parse(value.toString()) as Value);
  };
  return {
    askedAt: async () => (await read<{ at: number }>('sent'))?.at,
    made: () => read<Made>('content'),
    write: (sent: { readonly at: number; readonly state: string }, made?: Made) => write(sent, made),
    remove: () => write(undefined, undefined),
  };
}

/** A group in the words of the contract; names of people are not the network's to tell. */
const answeredGroup = ({
  id,
  name,
  description = '',
  owner = '',
  createdAt,
  members,
}: EngineGroup): Static<typeof GroupDetail> => ({
  id,
  name,
  description,
  owner,
  createdAt: new Date(createdAt).toISOString(),
  participantsCount: members.length,
  participants: members.map(({ jid, phone = '', isAdmin, isSuperAdmin }) => ({
    id: jid,
    phone,
    pushName: '',
    isAdmin,
    isSuperAdmin,
  })),
});

const whyNotAdded: Readonly<Record<number, string>> = {
  403: 'Lets nobody add them to groups: send the invite link instead.',
  404: 'Is not on the network.',
  408: 'Has left the group lately.',
  409: 'Is in the group already.',
};
const whyNotChanged: Readonly<Record<number, string>> = {
  404: 'Is not in the group.',
  406: 'The network does not allow this for this person: nobody can remove or demote whoever made the group.',
};

/** The results for each participant, in the words of the contract. */
const answeredResults = (
  outcomes: readonly ParticipantOutcome[],
  action: ParticipantAction,
): Static<typeof ParticipantResult>[] =>
  outcomes.map(({ person, status }) => {
    const phone = person.replace(/@c\.us$/, '');
    if (status === 200) return { phone, status };
    const reasons = action === 'add' ? whyNotAdded : whyNotChanged;
    return { phone, status, message: reasons[status] ?? `The network refused it (${status}).` };
  });
