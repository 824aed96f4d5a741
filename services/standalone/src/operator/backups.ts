import { scratchOption, withStore } from './stored-backups.ts';
import { Usage, type Verb } from './verb.ts';

export const backups: Verb = {
  summary: 'Lists the backups in the object store, the newest first',
  usage: ['backups'],
  options: scratchOption,
  run: ({ args, flags }) => {
    if (args.length > 0) throw new Usage('backups takes nothing.');
    return withStore(flags, async (store) => {
      const there = await store.list();
      const lines = there.map(({ name, size, at }) => `${name}  ${Math.ceil(size / 1024)} KiB  ${at}`);
      return { data: there, lines: lines.length > 0 ? lines : ['There are none.'] };
    });
  },
};
