/** A replica whose last heartbeat is older than this is dead to the others, milliseconds (architecture §6). */
export const ttlMs = 9_000;
/** Heartbeats come so often, milliseconds. */
export const beatMs = 3_000;
/** A replica that could not renew for so long lets go, well before others may think it dead, milliseconds. */
export const letGoMs = (ttlMs * 2) / 3;
