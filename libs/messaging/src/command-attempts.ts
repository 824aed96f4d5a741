import type { CommandEnvelope } from '@messaging-gateway/contracts';
import { isUnavailable, type Clock, type Logger } from '@messaging-gateway/runtime';
import type { CommandHandler, RetryPolicy } from './commands.ts';
import type { Work } from './keyed-work.ts';
import { outageWait } from './outage-wait.ts';

export interface CommandAttempts {
  readonly owner: string;
  readonly command: CommandEnvelope;
  readonly handler: CommandHandler;
  readonly retry: RetryPolicy;
  readonly clock: Clock;
  readonly log: Logger;
  /** Those before this process had it. */
  readonly attempts?: number;
  /** The next one is not before, milliseconds since 1970. */
  readonly dueAt?: number;
  /** Keeps it among the dead letters. Tried again for ever. */
  giveUp(reason: string): Promise<void>;
  /** Told of a failure that is tried again. */
  failed?(attempts: number, dueAt: Date, reason: string): Promise<void>;
}

/** The tries of one command as a piece of keyed work: it is done when the command is carried out or given up. */
export function commandAttempts(parts: CommandAttempts): Work {
  const { command, handler, retry, clock } = parts;
  let { attempts = 0, dueAt = 0 } = parts;
  let outages = 0;
  let hopeless: string | undefined;

  const failedWith = async (error: unknown): Promise<number | undefined> => {
    if (isUnavailable(error)) return outageWait(outages++);
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const wait = retry.delaysMs[attempts];
    attempts += 1;
    if (wait === undefined) return giveUp(reason);
    dueAt = clock.now() + wait;
    await parts.failed?.(attempts, new Date(dueAt), reason).catch(() => undefined);
    return wait;
  };

  const giveUp = async (reason: string): Promise<number | undefined> => {
    hopeless = reason;
    try {
      await parts.giveUp(reason);
    } catch {
      return outageWait(outages++);
    }
    const { id: commandId, requestId, name } = command;
    parts.log.error('Command given up', { queue: `${parts.owner} ${name}`, commandId, requestId, reason });
    retry.onGivenUp?.(command, reason);
    return undefined;
  };

  return async () => {
    if (hopeless !== undefined) return giveUp(hopeless);
    const early = dueAt - clock.now();
    if (early > 0) return early;
    if (command.deadline !== undefined && clock.now() >= command.deadline) return giveUp('The deadline has passed.');
    try {
      await handler(command);
      return undefined;
    } catch (error) {
      return failedWith(error);
    }
  };
}
