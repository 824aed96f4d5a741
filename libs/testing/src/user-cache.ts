import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Path in the folder for what tests build or fetch once for all checkouts of a user: below `XDG_CACHE_HOME`, else `~/.cache`.
 * Folders in it are named by version or hash, so that checkouts of different versions share it.
 */
export const userCache = (...parts: readonly string[]): string =>
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'messaging-gateway', ...parts);
