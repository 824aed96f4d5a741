import {
  type AddGroupParticipants,
  type AnswerOf,
  ChangeGroup,
  ChangeParticipants,
  type CreateGroup,
  type GetGroup,
  type GetInviteLink,
  type Group,
  type GroupDetail,
  type InternalOperation,
  type LeaveGroup,
  type ListGroups,
  MakeGroup,
  NamePeople,
  parseRecipient,
  ReadGroups,
  ReadInvitation,
  type UpdateGroup,
} from '@messaging-gateway/contracts';
import { invalid } from '@messaging-gateway/messaging';
import {
  askHolder,
  type InputOf,
  type OperationInput,
  type RequestContext,
  type ServiceTools,
} from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { SessionsSettings } from '../config.ts';
import { type Engines, requireCapability } from '../engine/engines.ts';
import type { ParticipantAction } from '../engine/engine.ts';
import { callersProfile, findProfile } from '../profiles/profile-table.ts';

type Shown = Static<typeof GroupDetail>;
type Asked = Pick<OperationInput<unknown>, 'caller' | 'context'>;

export interface GroupsParts {
  readonly tools: ServiceTools<SessionsSettings>;
  readonly engines: Engines;
}

/** Groups as callers see them: everything is asked of the network, by the replica that holds the profile. */
export class GroupOperations {
  readonly #parts: GroupsParts;

  constructor(parts: GroupsParts) {
    this.#parts = parts;
  }

  async list({ params, ...asked }: InputOf<typeof ListGroups>): Promise<Static<typeof Group>[]> {
    const { groups } = await this.#ask(ReadGroups, asked, params.profileId, {});
    return groups
      .map(({ participants: _left, ...group }) => group)
      .toSorted((one, other) => one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1));
  }

  async read({ params, query, ...asked }: InputOf<typeof GetGroup>): Promise<Shown> {
    return this.#read(asked, query.profileId, params.groupId);
  }

  async create({ body, ...asked }: InputOf<typeof CreateGroup>) {
    const { profileId, name, participants, description } = body;
    const groupKey = asked.context.resourceId;
    const order = { groupKey, name, people: peopleOf(participants), ...(description !== undefined && { description }) };
    const { group, results } = await this.#ask(MakeGroup, asked, profileId, order);
    return { ...(await withNames(this.#parts.tools, asked, profileId, group)), results };
  }

  async update({ params, body, ...asked }: InputOf<typeof UpdateGroup>): Promise<Shown> {
    const { profileId, ...change } = body;
    if (Object.keys(change).length === 0)
      throw invalid([{ path: 'body.name', message: 'or body.description is required' }]);
    const { groupId } = params;
    await this.#ask(ChangeGroup, asked, profileId, { groupId, ...change });
    return this.#read(asked, profileId, groupId);
  }

  async changeParticipants(
    { params, body, ...asked }: InputOf<typeof AddGroupParticipants>,
    action: ParticipantAction,
  ): Promise<AnswerOf<typeof ChangeParticipants>> {
    const change = { groupId: params.groupId, action, people: peopleOf(body.participants) };
    return this.#ask(ChangeParticipants, asked, body.profileId, change);
  }

  async leave({ params, body, ...asked }: InputOf<typeof LeaveGroup>): Promise<{ id: string }> {
    const { groupId } = params;
    await this.#ask(ChangeGroup, asked, body.profileId, { groupId, leave: true });
    return { id: groupId };
  }

  /** @param renew the old link leads nowhere any more */
  async inviteLink(
    { params, query, ...asked }: InputOf<typeof GetInviteLink>,
    renew: boolean,
  ): Promise<{ link: string }> {
    const { code } = await this.#ask(ReadInvitation, asked, query.profileId, { groupId: params.groupId, renew });
    return { link: `https://chat.whatsapp.com/${encodeURIComponent(code)}` };
  }

  async #read(asked: Asked, profileId: string, groupId: string): Promise<Shown> {
    const { groups } = await this.#ask(ReadGroups, asked, profileId, { groupId });
    return withNames(this.#parts.tools, asked, profileId, groups[0] as Shown);
  }

  /** @throws Refused NOT_FOUND, FORBIDDEN, ENGINE_UNSUPPORTED, PROFILE_NOT_CONNECTED, and what the network answers */
  async #ask<O extends InternalOperation>(
    contract: O,
    { caller, context }: Asked,
    profileId: string,
    about: Omit<Static<O['body']>, 'organizationId' | 'profileId'>,
  ): Promise<AnswerOf<O>> {
    const { tools, engines } = this.#parts;
    const { engine, status } = await callersProfile(tools.sql, caller, profileId);
    requireCapability(engines.of(engine ?? engines.defaultKind), 'groups');
    const body = { organizationId: caller.organizationId, profileId, ...about } as Static<O['body']>;
    return askHolder(tools, contract, body, { ...optionsOf(context), status });
  }
}

const optionsOf = ({ requestId, traceparent, deadline }: RequestContext) => ({ requestId, traceparent, deadline });

/** JIDs of the people named, each once. */
const peopleOf = (given: readonly string[]): string[] => [
  ...new Set(given.flatMap((text) => parseRecipient(text)?.jid ?? [])),
];

/** How long the inbox may take: a group is worth telling without names too. */
const namesMs = 2_000;

/** The group with the names that its participants go by, as far as the organization has met them. */
async function withNames(
  { ask, sql }: Pick<ServiceTools<unknown>, 'ask' | 'sql'>,
  { caller, context }: Pick<OperationInput<unknown>, 'caller' | 'context'>,
  profileId: string,
  group: Shown,
): Promise<Shown> {
  const { organizationId } = caller;
  const { requestId, traceparent } = context;
  const jids = group.participants.map(({ id }) => id);
  const [own, { names }] = await Promise.all([
    findProfile(sql, organizationId, profileId),
    ask(NamePeople, { organizationId, profileId, jids }, { requestId, traceparent, timeoutMs: namesMs }).catch(() => ({
      names: {} as Record<string, string>,
    })),
  ]);
  const nameOf = ({ id, phone }: Shown['participants'][number]): string =>
    (phone !== '' && phone === own?.phone_number ? own.push_name : names[id]) ?? '';
  return { ...group, participants: group.participants.map((one) => ({ ...one, pushName: nameOf(one) })) };
}
