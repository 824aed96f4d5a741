import {
  ChangeGroup,
  ChangeParticipants,
  MakeGroup,
  ReadGroups,
  ReadInvitation,
  type AnswerOf,
} from '@messaging-gateway/contracts';
import type { Clock } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';
import type { Static, TSchema } from 'typebox';
import type { OpenSession } from '../connection/open-session.ts';
import { answeredGroup, answeredResults } from './answers.ts';
import { makeGroup } from './making.ts';

type Ask = <Answer>(organizationId: string, work: (open: OpenSession) => Promise<Answer>) => Promise<Answer>;
type Body<O extends { body: TSchema }> = Static<O['body']>;

/** What the replica that holds a profile is asked about groups. */
export class HeldGroups {
  readonly #ask: Ask;
  readonly #clock: Clock;

  /** @param ask asks the connection of the profile for a caller of its organization */
  constructor(ask: Ask, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
  }

  serve(serveRoute: ServiceTools<unknown>['serveRoute'], profileId: string): Promise<() => Promise<void>>[] {
    return [
      serveRoute(ReadGroups, profileId, (body) => this.read(body)),
      serveRoute(MakeGroup, profileId, (body) => this.make(body)),
      serveRoute(ChangeGroup, profileId, (body) => this.change(body)),
      serveRoute(ChangeParticipants, profileId, (body) => this.changeParticipants(body)),
      serveRoute(ReadInvitation, profileId, (body) => this.invitation(body)),
    ];
  }

  async read({ organizationId, groupId }: Body<typeof ReadGroups>): Promise<AnswerOf<typeof ReadGroups>> {
    return this.#ask(organizationId, async ({ session: { groups } }) => {
      if (groupId !== undefined) return { groups: [answeredGroup(await groups.read(groupId))] };
      const found = await groups.list();
      // Hundreds of groups may have a thousand participants each.
      return { groups: found.map((group) => ({ ...answeredGroup(group), participants: [] })) };
    });
  }

  async make(body: Body<typeof MakeGroup>): Promise<AnswerOf<typeof MakeGroup>> {
    return this.#ask(body.organizationId, async ({ session, data }) => {
      const { group, outcomes } = await makeGroup(session.groups, data, this.#clock.now(), body);
      return { group: answeredGroup(group), results: answeredResults(outcomes, 'add') };
    });
  }

  async change({ organizationId, groupId, name, description, leave }: Body<typeof ChangeGroup>): Promise<object> {
    return this.#ask(organizationId, async ({ session: { groups } }) => {
      if (name !== undefined) await groups.rename(groupId, name);
      if (description !== undefined) await groups.describe(groupId, description);
      if (leave === true) await groups.leave(groupId);
      return {};
    });
  }

  async changeParticipants({
    organizationId,
    groupId,
    action,
    people,
  }: Body<typeof ChangeParticipants>): Promise<AnswerOf<typeof ChangeParticipants>> {
    return this.#ask(organizationId, async ({ session: { groups } }) => ({
      results: answeredResults(await groups.changeMembers(groupId, action, people), action),
    }));
  }

  async invitation({
    organizationId,
    groupId,
    renew,
  }: Body<typeof ReadInvitation>): Promise<AnswerOf<typeof ReadInvitation>> {
    return this.#ask(organizationId, async ({ session: { groups } }) => ({
      code: await groups.invitation(groupId, renew),
    }));
  }
}
