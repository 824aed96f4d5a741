import { createHash } from 'node:crypto';

/** Clients make ids of at most 32 letters and digits. */
const usual = /^[!-~]{0,255}$/;

/**
 * The id under which a message is kept and told. Whoever writes chooses the ids of messages, and those that a quotation, a
 * reaction or a vote names: one that stores could not hold as part of a key, for its length or its characters, is known by
 * its hash, wherever it is named.
 */
export const keptId = (id: string): string =>
  usual.test(id) ? id : createHash('sha256').update(id).digest('hex').toUpperCase();
