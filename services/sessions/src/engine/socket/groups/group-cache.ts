import type { GroupMetadata, WASocket } from '@whiskeysockets/baileys';
import type { Clock } from '@messaging-gateway/runtime';
import type { Change, SessionData } from '../../../session-data/session-data-store.ts';
import type { Fact, FactKeeper } from '../../engine.ts';
import { timerChanges, timerFact } from '../wire-format/chat-timers.ts';
import type { NetworkAddress } from '../wire-format/addresses.ts';
import type { SignalState } from '../signal/signal-state.ts';
import { type KnownGroup, libraryMetadata } from './group-node.ts';
import { readGroup, readGroups } from './group-queries.ts';

export interface GroupCacheParts {
  readonly profileId: string;
  readonly state: SignalState;
  readonly now: () => number;
  /** Asks the network. @throws when there is no connection, or it refuses */
  readonly read: (id: string) => Promise<KnownGroup>;
  readonly readAll: () => Promise<readonly KnownGroup[]>;
  /** Keeps facts until the journal has taken them. */
  readonly keep: (facts: readonly Fact[]) => Promise<void>;
}

const all = 'all';
const refreshMs = 24 * 3_600_000;

/**
 * The groups of a profile as the network told them last, kept over connections and restarts: a message to a group does not
 * ask who is in it, and whoever deletes another's message is looked up here. The network tells every change, which
 * drops the entry.
 *
 * @see docs/decisions/0381-known-groups.md
 */
export class GroupCache {
  readonly #parts: GroupCacheParts;
  readonly #reading = new Map<string, Promise<KnownGroup | undefined>>();
  /** Counts the changes of this process: what was asked before one is not kept. */
  #changes = 0;

  constructor(parts: GroupCacheParts) {
    this.#parts = parts;
  }

  /** For the client library, which asks for itself when there is nothing here. */
  async metadata(id: string): Promise<GroupMetadata | undefined> {
    const group = await this.#find(id);
    return group === undefined ? undefined : libraryMetadata(group);
  }

  /** Whether somebody is an admin of a group; no when that cannot be known. */
  async isAdmin(id: string, { phone, lid }: NetworkAddress): Promise<boolean> {
    const user = lid?.replace(/@.*$/, '');
    const group = await this.#find(id);
    const member = group?.members.find(
      (one) => (phone !== undefined && one.phone === phone) || (user !== undefined && one.lid === user),
    );
    return member?.rank !== undefined;
  }

  /** A group has changed, or may have. @returns what makes that last */
  forget(id: string): readonly Change[] {
    this.#changes += 1;
    this.#reading.delete(id);
    return this.#parts.state.changes({ groups: { [id]: null } });
  }

  async drop(id: string): Promise<void> {
    await this.#parts.state.commit(this.forget(id));
  }

  /** Keeps what the network told just now, and tells new names. */
  async learn(groups: readonly KnownGroup[]): Promise<void> {
    const { state, profileId, keep, now } = this.#parts;
    const ids = groups.map(({ id }) => id);
    const names = await state.get<string>('group-names', ids);
    const renamed = groups.filter(({ id, name }) => names[id] !== name);
    await state.set({
      groups: Object.fromEntries(groups.map((group) => [group.id, group])),
      'group-names': Object.fromEntries(renamed.map(({ id, name }) => [id, name])),
    });
    const timers = await Promise.all(
      groups.map(({ id, disappearAfter: seconds = 0 }) => {
        const timer = { seconds, at: Math.floor(now() / 1000) };
        return timerFact(timer, { chat: { jid: id }, fromMe: false }, { profileId, state }, true);
      }),
    );
    await keep([
      ...timers.filter((timer) => timer !== undefined),
      ...renamed.map<Fact>(({ id, name, namedAt, createdAt }) => ({
        kind: 'group-named',
        data: { profileId, group: id, name, since: new Date((namedAt || createdAt) * 1000).toISOString() },
      })),
    ]);
  }

  /** Asks for all groups, unless that was done within a day. */
  async refresh(): Promise<void> {
    const { state, now, readAll } = this.#parts;
    const { [all]: at = 0 } = await state.get<number>('groups-read', [all]);
    if (at + refreshMs > now()) return;
    const changes = this.#changes;
    const groups = await readAll();
    if (changes !== this.#changes) return;
    await this.learn(groups);
    await state.set({ 'groups-read': { [all]: now() } });
  }

  async #find(id: string): Promise<KnownGroup | undefined> {
    const known = (await this.#parts.state.get<KnownGroup>('groups', [id]))[id];
    if (known !== undefined) return known;
    const reading = this.#reading.get(id) ?? this.#read(id).finally(() => this.#reading.delete(id));
    this.#reading.set(id, reading);
    return reading;
  }

  async #read(id: string): Promise<KnownGroup | undefined> {
    const changes = this.#changes;
    try {
      const group = await this.#parts.read(id);
      if (changes === this.#changes) await this.learn([group]);
      return group;
    } catch {
      return undefined;
    }
  }
}

interface CachedGroupsParts {
  readonly data: SessionData;
  readonly facts: FactKeeper;
  readonly clock: Clock;
}

/** The groups of one session, asked for over whatever connection is open then. */
export function groupCache(
  { data, facts, clock }: CachedGroupsParts,
  state: SignalState,
  socket: () => WASocket,
): GroupCache {
  return new GroupCache({
    profileId: data.profileId,
    state,
    now: () => clock.now(),
    read: async (id) => readGroup(socket(), id),
    readAll: async () => readGroups(socket()),
    keep: async (told) => {
      if (told.length === 0) return;
      const keeping = facts.keep(told);
      await data.commit([...keeping.changes(), ...timerChanges(told, state)]);
      keeping.kept();
    },
  });
}
