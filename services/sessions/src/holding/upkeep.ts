import { every, type Job, type ServiceTools } from '@messaging-gateway/service';
import type { HeldProfile, HolderTools } from './held-profile.ts';
import { readFollowed } from '../presence/subscriptions.ts';
import { findRemainders, type Search, type ToHold } from './wanted-profiles.ts';
import type { ConnectionStatus } from '../profiles/profile.ts';

export interface UpkeepParts {
  readonly with: Pick<HolderTools, 'tools' | 'sessions'>;
  /** Held profiles that may be acted on now. */
  readonly held: () => readonly HeldProfile[];
  /** The search for profiles that could be taken now; undefined when none may be. */
  readonly search: () => Search | undefined;
  readonly take: (profile: ToHold) => Promise<HeldProfile | undefined>;
}

/** The jobs of a replica about the profiles that it holds, or could hold for what they left behind. */
export function upkeepJobs({ with: service, held, search, take }: UpkeepParts): readonly Job[] {
  const rows = new Reconciling(service.tools);
  const takeRemainders = async (signal: AbortSignal): Promise<void> => {
    const sought = search();
    if (sought === undefined) return;
    for (const profile of await findRemainders(service.tools.sql, service.sessions, sought)) {
      if (signal.aborted) return;
      (await take(profile))?.remain();
    }
  };
  const sweep = async (): Promise<void> => {
    for (const { connection } of held()) await connection.sweep().catch(() => undefined);
  };
  const followed = readFollowed(service.tools.sql, () => service.tools.clock.now());
  const review = async (): Promise<void> => {
    const connected = held()
      .filter(({ connection }) => connection.status === 'connected')
      .map(({ lease: { profileId }, connection }) => ({ profileId, follow: connection.current().followed.reading() }));
    if (connected.length === 0) return;
    const chats = await followed(connected.map(({ profileId }) => profileId));
    for (const { profileId, follow } of connected) await follow(chats.get(profileId) ?? []).catch(() => undefined);
  };
  return [
    every('30s', 'presence that is subscribed', review, { first: '30s' }),
    every('1m', 'profiles compared with their rows', () => rows.compare(held()), { first: '1m' }),
    every('1m', 'facts that profiles left behind', takeRemainders),
    every('1h', 'session data that is too old', sweep, { first: '1h' }),
  ];
}

interface Row {
  readonly id: string;
  readonly status: ConnectionStatus;
  readonly is_wanted: boolean;
}

/**
 * Compares the profiles held with their rows: what people want is as the rows say, where a connection stands is as it
 * is here. Both agree unless something was lost between them.
 */
export class Reconciling {
  readonly #tools: Pick<ServiceTools<unknown>, 'sql' | 'log'>;
  /** Profiles that were wanted here or there alone when they were last compared: a request may have been on its way. */
  #differing = new Set<string>();

  constructor(tools: Pick<ServiceTools<unknown>, 'sql' | 'log'>) {
    this.#tools = tools;
  }

  async compare(held: readonly HeldProfile[]): Promise<void> {
    const { sql, log } = this.#tools;
    const byId = new Map(held.map((one) => [one.lease.profileId, one]));
    if (byId.size === 0) return;
    const rows = await sql.query<Row>('SELECT id, status, is_wanted FROM profiles WHERE id = ANY($1::uuid[])', [
      [...byId.keys()],
    ]);
    const differed = this.#differing;
    this.#differing = new Set();
    for (const { id, status, is_wanted: isWanted } of rows) {
      const one = byId.get(id) as HeldProfile;
      const { connection } = one;
      if (one.isLeft || connection.isWanted === undefined) continue;
      if (connection.isWanted === isWanted) connection.tellAgain(status);
      else if (!differed.has(id)) this.#differing.add(id);
      else {
        log.warn('A profile is not as it is wanted', { profileId: id, isWanted });
        // By now it may be wanted otherwise.
        await one.follow('resumed', isWanted);
      }
    }
  }
}
