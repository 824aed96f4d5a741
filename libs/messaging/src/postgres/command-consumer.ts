import type { Clock, Logger } from '@messaging-gateway/runtime';
import { commandAttempts } from '../command-attempts.ts';
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
    const { table, owner, handler, retry, clock, log } = this.#parts;
    const { position, attempts, dueAt } = command;
    this.#inHand.set(command.key, (this.#inHand.get(command.key) ?? 0) + 1);
    const tries = commandAttempts({
      owner,
      command: command.envelope,
      handler,
      retry,
      clock,
      log,
      attempts,
      dueAt: dueAt?.getTime() ?? 0,
      giveUp: (reason) => table.giveUp(position, reason),
      failed: (count, next, reason) => table.failed(position, count, next, reason),
    });
    this.#work.add(command.key, async () => {
      const again = await tries();
      if (again === undefined) this.#remove(command);
      return again;
    });
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
