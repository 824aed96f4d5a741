import { isUnavailable, type Clock, type Logger } from '@messaging-gateway/runtime';
import type { CommandHandler, RetryPolicy } from '../commands.ts';
import { KeyedWork } from '../keyed-work.ts';
import { outageWait } from '../outage-wait.ts';
import type { CommandTable, StoredCommand } from './command-table.ts';
import type { QueueLock } from './queue-lock.ts';

const fetchAtOnce = 200;
/** Commands in memory, at most; beyond it nothing is fetched. */
const capacity = 1_000;
const pollMs = 1_000;

export interface CommandConsumerParts {
  readonly owner: string;
  readonly name: string;
  readonly handler: CommandHandler;
  readonly retry: RetryPolicy;
  readonly table: CommandTable;
  readonly lock: QueueLock;
  readonly clock: Clock;
  readonly log: Logger;
  readonly concurrency: number;
}

/** Carries out the commands of one queue: keys in hand are fetched again only when they are empty, so order holds. */
export class CommandConsumer {
  readonly #parts: CommandConsumerParts;
  readonly #work: KeyedWork;
  /** Commands in memory by key: running, waiting, or done and not yet removed. */
  readonly #inHand = new Map<string, number>();
  readonly #poll: NodeJS.Timeout;
  #done: StoredCommand[] = [];
  #removing: Promise<void> | undefined;
  #fetching: Promise<void> | undefined;
  #news = true;
  #stopped = false;

  constructor(parts: CommandConsumerParts) {
    this.#parts = parts;
    this.#work = new KeyedWork(parts.concurrency, parts.clock);
    this.#poll = setInterval(() => this.#look(true), pollMs).unref();
    this.#look(true);
  }

  /** Something may have come. */
  wake(): void {
    this.#look(false);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    const finished = this.#work.stop();
    await this.#fetching;
    await finished;
    await this.#removing;
    await this.#parts.lock.release(this.#queue).catch(() => undefined);
  }

  get #queue(): string {
    return `${this.#parts.owner} ${this.#parts.name}`;
  }

  #look(thorough: boolean): void {
    this.#news = true;
    if (this.#stopped || this.#fetching !== undefined) return;
    this.#fetching = this.#fetch(thorough)
      .catch((error: unknown) =>
        this.#parts.log.warn('Commands not readable', { queue: this.#queue, reason: String(error) }),
      )
      .finally(() => (this.#fetching = undefined));
  }

  async #fetch(thorough: boolean): Promise<void> {
    const { table, owner, name, lock } = this.#parts;
    if (!(await lock.holds(this.#queue))) return;
    if (thorough && (await table.takeBack(owner, name))) this.#news = true;
    while (this.#news && !this.#stopped && this.#size < capacity) {
      this.#news = false;
      const commands = await table.next(owner, name, [...this.#inHand.keys()], fetchAtOnce);
      if (commands.length === fetchAtOnce) this.#news = true;
      for (const command of commands) this.#take(command);
    }
  }

  get #size(): number {
    let size = 0;
    for (const count of this.#inHand.values()) size += count;
    return size;
  }

  #take(command: StoredCommand): void {
    this.#inHand.set(command.key, (this.#inHand.get(command.key) ?? 0) + 1);
    const state = { attempts: command.attempts, outages: 0, dueAt: command.dueAt?.getTime() ?? 0 };
    this.#work.add(command.key, async () => {
      const early = state.dueAt - this.#parts.clock.now();
      if (early > 0) return early;
      const again = await this.#attempt(command, state);
      if (again === undefined) this.#remove(command);
      return again;
    });
  }

  /** @returns milliseconds until the next try, or nothing when the command is done or given up */
  async #attempt(
    command: StoredCommand,
    state: { attempts: number; outages: number; dueAt: number },
  ): Promise<number | undefined> {
    const { table, clock, handler, retry } = this.#parts;
    const { envelope, position } = command;
    try {
      if (envelope.deadline !== undefined && clock.now() >= envelope.deadline)
        return await this.#giveUp(command, 'The deadline has passed.');
      await handler(envelope);
      return undefined;
    } catch (error) {
      if (isUnavailable(error)) return outageWait(state.outages++);
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      const delay = retry.delaysMs[state.attempts];
      state.attempts += 1;
      if (delay === undefined) return this.#giveUp(command, reason).catch(() => outageWait(state.outages++));
      state.dueAt = clock.now() + delay;
      await table.failed(position, state.attempts, new Date(state.dueAt), reason).catch(() => undefined);
      return delay;
    }
  }

  async #giveUp({ envelope, position }: StoredCommand, reason: string): Promise<undefined> {
    const { table, log, retry } = this.#parts;
    await table.giveUp(position, reason);
    log.error('Command given up', {
      queue: this.#queue,
      commandId: envelope.id,
      requestId: envelope.requestId,
      reason,
    });
    retry.onGivenUp?.(envelope, reason);
    return undefined;
  }

  #remove(command: StoredCommand): void {
    this.#done.push(command);
    this.#removing ??= this.#removeDone().finally(() => (this.#removing = undefined));
  }

  /** Those that finish while a batch is being removed go together in the next one. */
  async #removeDone(): Promise<void> {
    let outages = 0;
    while (this.#done.length > 0) {
      const batch = this.#done.splice(0);
      try {
        await this.#parts.table.remove(batch.map(({ position }) => position));
        for (const { key } of batch) this.#letGo(key);
      } catch {
        this.#done.push(...batch);
        if (this.#stopped) return;
        await this.#parts.clock.sleep(outageWait(outages++));
      }
    }
    if (this.#news) this.#look(false);
  }

  #letGo(key: string): void {
    const left = (this.#inHand.get(key) ?? 1) - 1;
    if (left > 0) this.#inHand.set(key, left);
    else this.#inHand.delete(key);
    // The key may have more in the table that were left there while it was in hand.
    if (left === 0) this.#news = true;
  }
}
