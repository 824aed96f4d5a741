import type { Command } from '../contract.ts';

/** Orders to one owner, one file each beside this one. */
export const commands: readonly Command[] = [];
