import type { Running } from '@messaging-gateway/service';
import type { LaneRecords } from '../views/lane-records.ts';
import { Lane } from './lane.ts';
import type { LaneTools } from './lane-tools.ts';

/** Lanes kept in memory without work, so that the next send need not ask the database. */
const idleLanes = 5000;
/** How long a stop waits for acknowledgements, milliseconds (architecture §9). */
const patience = 10_000;

/** The lanes of this process: in memory while they have work, and a while longer. */
export class Lanes implements Running {
  readonly #records: LaneRecords;
  readonly #tools: LaneTools;
  readonly #abort: AbortController;
  readonly #lanes = new Map<string, Lane>();
  readonly #loading = new Map<string, Promise<Lane | undefined>>();

  /** @param abort ends what a stop has no more patience for; its signal is that of `tools` */
  constructor(records: LaneRecords, tools: LaneTools, abort: AbortController) {
    this.#records = records;
    this.#tools = tools;
    this.#abort = abort;
  }

  /** The lane of a profile; undefined when there is no such profile. */
  find(profileId: string): Promise<Lane | undefined> | Lane {
    return this.#lanes.get(profileId) ?? this.#loaded(profileId);
  }

  /** Keeps a lane in memory for a message that is about to be accepted. @returns the one that is in memory */
  hold(lane: Lane, messageId: string): Lane {
    const present = this.#lanes.get(lane.profileId) ?? lane;
    this.#lanes.set(lane.profileId, present);
    present.queue.expect(messageId);
    return present;
  }

  /** The lane if it is in memory: one with work always is. */
  inMemory(profileId: string): Lane | undefined {
    return this.#lanes.get(profileId);
  }

  /** The same, after what is being read has been read: for changes that it might miss. */
  async ifLoaded(profileId: string): Promise<Lane | undefined> {
    await this.#loading.get(profileId);
    return this.#lanes.get(profileId);
  }

  /** Takes up what an earlier process has left. */
  async start(): Promise<void> {
    for (const record of await this.#records.withWork()) {
      const lane = new Lane(record, this.#tools, true);
      this.#lanes.set(record.profileId, lane);
      lane.advance();
    }
  }

  async stop(): Promise<void> {
    const cancel = this.#tools.clock.at(this.#tools.clock.now() + patience, () => this.#abort.abort());
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
    cancel();
    this.#abort.abort();
  }

  /** Lanes with work, and the messages that they hold in memory. */
  load(): { active: number; messages: number } {
    let active = 0;
    let messages = 0;
    for (const lane of this.#lanes.values()) {
      if (!lane.isIdle) active += 1;
      messages += lane.queue.entries.length;
    }
    return { active, messages };
  }

  async #loaded(profileId: string): Promise<Lane | undefined> {
    const loading = this.#loading.get(profileId);
    if (loading !== undefined) return loading;
    const work = this.#load(profileId).finally(() => this.#loading.delete(profileId));
    this.#loading.set(profileId, work);
    return work;
  }

  async #load(profileId: string): Promise<Lane | undefined> {
    const record = await this.#records.find(profileId);
    if (record === undefined) return undefined;
    const lane = new Lane(record, this.#tools, false);
    this.#lanes.set(profileId, lane);
    if (this.#lanes.size > idleLanes) this.#forgetIdle();
    return lane;
  }

  /** Forgets the idle lanes that have been in memory longest. */
  #forgetIdle(): void {
    for (const [profileId, lane] of this.#lanes) {
      if (this.#lanes.size <= idleLanes) return;
      if (lane.isIdle) this.#lanes.delete(profileId);
    }
  }
}
