import type { CommandEnvelope } from '@messaging-gateway/contracts';
import type { Logger } from '@messaging-gateway/runtime';
import { claimPutBack, removePutBack } from '../dead-letters.ts';
import type { ConsumerHome } from '../events.ts';

const intervalMs = 2_000;
const atOnce = 20;

export interface PutBackCommandsParts {
  readonly owner: string;
  readonly name: string;
  readonly home: ConsumerHome;
  readonly log: Logger;
  /** Resolves when the command is stored. */
  send(command: CommandEnvelope): Promise<void>;
}

/** Queues dead letters again that were put back. A crash in between queues one twice, which handlers bear. */
export class PutBackCommands {
  readonly #parts: PutBackCommandsParts;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;

  constructor(parts: PutBackCommandsParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#look(), intervalMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  #look(): void {
    const { name, log } = this.#parts;
    this.#looking ??= this.#queueAgain()
      .catch((error: unknown) => log.warn('Dead letters not put back', { name, reason: String(error) }))
      .finally(() => (this.#looking = undefined));
  }

  async #queueAgain(): Promise<void> {
    const { owner, name, home, send } = this.#parts;
    for (const command of await claimPutBack<CommandEnvelope>(home, owner, [name], atOnce)) {
      await send(command);
      await removePutBack(home, owner, name, command.id);
    }
  }
}
