import { jidDecode, type BinaryNode, type PossiblyExtendedCacheStore } from '@whiskeysockets/baileys';
import type { SignalState } from './signal-state.ts';

interface Known {
  readonly devices: unknown;
  readonly until: number;
}

const keepMs = 24 * 3_600_000;

/** The network says with which devices it compares ours: a contact's are looked up again the next time. */
export function deviceListChanged({ attrs }: BinaryNode, devices: ReturnType<typeof userDevices>): void {
  const user = attrs['phash'] === undefined ? undefined : jidDecode(attrs['from'])?.user;
  if (user !== undefined) void devices.del(user);
}

/**
 * Which devices each contact has, kept over connections and restarts: without it every reconnect makes every contact
 * cold, and a cold one costs two round trips. The network announces changes, which delete the entry.
 */
export function userDevices(
  state: SignalState,
  now: () => number,
): PossiblyExtendedCacheStore & { knows(user: string): Promise<boolean> } {
  const find = async (users: string[]): Promise<Record<string, unknown>> => {
    const known = await state.get<Known>('user-devices', users);
    return Object.fromEntries(
      Object.entries(known)
        .filter(([, { until }]) => until > now())
        .map(([user, { devices }]) => [user, devices]),
    );
  };
  const put = (entries: readonly { key: string; value: unknown }[]): void => {
    const values = Object.fromEntries(
      entries.map(({ key, value }) => [key, { devices: value, until: now() + keepMs }]),
    );
    // Losing this costs a lookup: nobody waits for the disk.
    state.set({ 'user-devices': values }).catch(() => undefined);
  };
  return {
    knows: async (user) => user in (await find([user])),
    get: async <T>(user: string) => (await find([user]))[user] as T,
    mget: async <T>(users: string[]) => (await find(users)) as Record<string, T | undefined>,
    set: (key, value) => put([{ key, value }]),
    mset: (entries) => put(entries),
    del: (key) => void state.set({ 'user-devices': { [key]: null } }).catch(() => undefined),
    flushAll: () => undefined,
  };
}
