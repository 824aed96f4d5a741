import { createHash } from 'node:crypto';

/** Sends one command to Redis, with whole keys. Rejects at once while Redis is away. */
export type SendCommand = (command: readonly string[]) => Promise<unknown>;

/** The part of Redis that the library's store gets. */
export type SendText = (...command: string[]) => Promise<never>;

/**
 * Lets scripts be used that Redis may not know yet, or no more after a restart: a script is named by its SHA-1, which
 * needs no Redis, and it is sent along whenever Redis does not know the name. So a store can begin without Redis.
 */
export function scriptSender(send: SendCommand): SendText {
  const scripts = new Map<string, string>();
  return async (...command) => {
    const [name = '', word = '', script = ''] = command;
    if (name === 'SCRIPT' && word === 'LOAD') {
      const sha = createHash('sha1').update(script).digest('hex');
      scripts.set(sha, script);
      return sha as never;
    }
    try {
      return (await send(command)) as never;
    } catch (error) {
      const known = name === 'EVALSHA' ? scripts.get(word) : undefined;
      if (known === undefined || !(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return (await send(['EVAL', known, ...command.slice(2)])) as never;
    }
  };
}
