import { randomBytes } from 'node:crypto';
import { Refused } from '@messaging-gateway/messaging';
import { hash, verify } from '@node-rs/argon2';

/** Hashes by argon2id, two at once at most: each takes 19 MiB and a core for some hundredths of a second. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the same time without a hash (an address that nobody has), and is false. */
  matches(password: string, passwordHash: string | undefined): Promise<boolean>;
}

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const atOnce = 2;
const longestQueue = 200;

/** Hash function for passwords. */
export interface Hashing {
  hash(password: string | Uint8Array): Promise<string>;
  verify(passwordHash: string, password: string): Promise<boolean>;
}

export const argon2id: Hashing = {
  hash: (password) => hash(password, cost),
  verify: (against, password) => verify(against, password),
};

export function passwords(hashing: Hashing = argon2id): Passwords {
  const inTurn = turns(atOnce, longestQueue);
  const nobodys = inTurn(() => hashing.hash(randomBytes(32)));
  nobodys.catch(() => undefined); // whoever needs it sees the fault
  return {
    hash: (password) => inTurn(() => hashing.hash(password)),
    matches: async (password, passwordHash) => {
      const compared = passwordHash ?? (await nobodys);
      const same = await inTurn(() => hashing.verify(compared, password));
      return same && passwordHash !== undefined;
    },
  };
}

function turns(count: number, longest: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else {
      if (waiting.length >= longest)
        throw new Refused('SERVICE_UNAVAILABLE', 'Too many people log in right now.', undefined, {
          'Retry-After': '5',
        });
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
