import type { AuthenticationCreds, WASocket } from '@whiskeysockets/baileys';
import type { EngineGroup, EngineGroups, ParticipantAction, ParticipantOutcome } from '../../engine.ts';
import { selfOf, toNetwork } from '../wire-format/addresses.ts';
import { shownGroup } from './group-node.ts';
import {
  changeMembers,
  createGroup,
  describeGroup,
  invitationOf,
  leaveGroup,
  readGroup,
  readGroups,
  renameGroup,
  setGroupTimer,
} from './group-queries.ts';
import type { GroupCache } from './group-cache.ts';

/** A connection that is open. */
interface Opened {
  readonly socket: WASocket;
  readonly credentials: AuthenticationCreds;
}

/** Groups over the connection that is open when they are asked for. */
export class SocketGroups implements EngineGroups {
  readonly #connection: () => Opened;
  readonly #groupCache: GroupCache;

  /** @param connection throws Refused PROFILE_NOT_CONNECTED when none is open */
  constructor(connection: () => Opened, known: GroupCache) {
    this.#connection = connection;
    this.#groupCache = known;
  }

  async list(): Promise<readonly EngineGroup[]> {
    const { socket, credentials } = this.#connection();
    const groups = await readGroups(socket);
    return groups.map((group) => shownGroup(group, selfOf(credentials)));
  }

  async read(id: string): Promise<EngineGroup> {
    const { socket, credentials } = this.#connection();
    return shownGroup(await readGroup(socket, id), selfOf(credentials));
  }

  async create(
    name: string,
    people: readonly string[],
  ): Promise<{ id: string; outcomes: readonly ParticipantOutcome[] }> {
    const { group, outcomes } = await createGroup(this.#connection().socket, name, people.map(toNetwork));
    return { id: group.id, outcomes };
  }

  changeMembers(
    id: string,
    action: ParticipantAction,
    people: readonly string[],
  ): Promise<readonly ParticipantOutcome[]> {
    return this.#changing(id, (socket) => changeMembers(socket, id, action, people.map(toNetwork)));
  }

  rename(id: string, name: string): Promise<void> {
    return this.#changing(id, (socket) => renameGroup(socket, id, name));
  }

  async describe(id: string, text: string): Promise<void> {
    const { descriptionId } = await readGroup(this.#connection().socket, id);
    if (text === '' && descriptionId === undefined) return;
    await this.#changing(id, (socket) => describeGroup(socket, id, text, descriptionId));
  }

  setDisappearing(id: string, seconds: number): Promise<void> {
    return this.#changing(id, (socket) => setGroupTimer(socket, id, seconds));
  }

  leave(id: string): Promise<void> {
    return this.#changing(id, (socket) => leaveGroup(socket, id));
  }

  async invitation(id: string, renew: boolean): Promise<string> {
    return invitationOf(this.#connection().socket, id, renew);
  }

  /** Changes a group, and forgets what is remembered of it, whether the network answers or not. */
  async #changing<Result>(id: string, change: (socket: WASocket) => Promise<Result>): Promise<Result> {
    try {
      return await change(this.#connection().socket);
    } finally {
      await this.#groupCache.drop(id).catch(() => undefined);
    }
  }
}
