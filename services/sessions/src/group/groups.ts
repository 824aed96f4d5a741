import {
  ChangeGroup,
  ChangeParticipants,
  MakeGroup,
  ReadGroups,
  ReadInvitation,
  parseRecipient,
  type AnswerOf,
  type BodyOf,
  type CreateGroup,
  type Group,
  type GroupDetail,
  type InternalOperation,
  type UpdateGroup,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { askHolder, type OperationInput, type RequestContext, type ServiceTools } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { SessionsSettings } from '../config.ts';
import { requireCapability, type Engines } from '../engine/engines.ts';
import type { ParticipantAction } from '../engine/groups.ts';
import { callersProfile } from '../views/profiles.ts';
import { withNames } from './names.ts';

type Shown = Static<typeof GroupDetail>;
type Asked = Pick<OperationInput<unknown>, 'caller' | 'context'>;

export interface GroupsParts {
  readonly tools: ServiceTools<SessionsSettings>;
  readonly engines: Engines;
}

/** Groups as callers see them: everything is asked of the network, by the replica that holds the profile. */
export class Groups {
  readonly #parts: GroupsParts;

  constructor(parts: GroupsParts) {
    this.#parts = parts;
  }

  async list({ params, ...asked }: OperationInput<unknown>): Promise<Static<typeof Group>[]> {
    const { groups } = await this.#ask(ReadGroups, asked, params['profileId'], {});
    return groups
      .map(({ participants: _left, ...group }) => group)
      .toSorted((one, other) => one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1));
  }

  async read({ params, query, ...asked }: OperationInput<unknown>): Promise<Shown> {
    return this.#read(asked, query['profileId'], groupIn(params));
  }

  async create({ body, ...asked }: OperationInput<BodyOf<typeof CreateGroup>>) {
    const { profileId, name, participants, description } = body;
    const groupKey = asked.context.resourceId;
    const order = { groupKey, name, people: peopleOf(participants), ...(description !== undefined && { description }) };
    const { group, results } = await this.#ask(MakeGroup, asked, profileId, order);
    return { ...(await withNames(this.#parts.tools, asked, profileId, group)), results };
  }

  async update({ params, body, ...asked }: OperationInput<BodyOf<typeof UpdateGroup>>): Promise<Shown> {
    const { profileId, ...change } = body;
    if (Object.keys(change).length === 0)
      throw new Refused('VALIDATION_ERROR', 'body.name or body.description is required.', [
        { path: 'body.name', message: 'or description is required' },
      ]);
    const groupId = groupIn(params);
    await this.#ask(ChangeGroup, asked, profileId, { groupId, ...change });
    return this.#read(asked, profileId, groupId);
  }

  async changeParticipants(
    { params, body, ...asked }: OperationInput<{ profileId: string; participants: string[] }>,
    action: ParticipantAction,
  ): Promise<AnswerOf<typeof ChangeParticipants>> {
    const change = { groupId: groupIn(params), action, people: peopleOf(body.participants) };
    return this.#ask(ChangeParticipants, asked, body.profileId, change);
  }

  async leave({ params, body, ...asked }: OperationInput<{ profileId: string }>): Promise<{ id: string }> {
    const groupId = groupIn(params);
    await this.#ask(ChangeGroup, asked, body.profileId, { groupId, leave: true });
    return { id: groupId };
  }

  /** @param renew the old link leads nowhere any more */
  async inviteLink({ params, query, ...asked }: OperationInput<unknown>, renew: boolean): Promise<{ link: string }> {
    const { code } = await this.#ask(ReadInvitation, asked, query['profileId'], { groupId: groupIn(params), renew });
    return { link: `https://chat.whatsapp.com/${encodeURIComponent(code)}` };
  }

  async #read(asked: Asked, profileId: unknown, groupId: string): Promise<Shown> {
    const { groups } = await this.#ask(ReadGroups, asked, profileId, { groupId });
    return withNames(this.#parts.tools, asked, profileId as string, groups[0] as Shown);
  }

  /** @throws Refused NOT_FOUND, FORBIDDEN, ENGINE_UNSUPPORTED, PROFILE_NOT_CONNECTED, and what the network answers */
  async #ask<O extends InternalOperation>(
    contract: O,
    { caller, context }: Asked,
    profileId: unknown,
    about: object,
  ): Promise<AnswerOf<O>> {
    const { tools, engines } = this.#parts;
    const id = profileId as string;
    const { engine, status } = await callersProfile(tools.sql, caller, id);
    requireCapability(engines.of(engine ?? engines.defaultKind), 'groups');
    const body = { organizationId: caller.organizationId, profileId: id, ...about } as Static<O['body']>;
    return askHolder(tools, contract, body, { ...optionsOf(context), status });
  }
}

const optionsOf = ({ requestId, traceparent, deadline }: RequestContext) => ({ requestId, traceparent, deadline });

const groupIn = (params: Readonly<Record<string, string>>): string => params['groupId'] ?? '';

/** JIDs of the people named, each once. */
const peopleOf = (given: readonly string[]): string[] => [
  ...new Set(given.flatMap((text) => parseRecipient(text)?.jid ?? [])),
];
