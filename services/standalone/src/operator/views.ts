import { unreadableText } from '@messaging-gateway/event-sourcing';
import { storages } from '../services.ts';
import { rebuildViewsOf } from './rebuild.ts';
import { note, Usage, withDatabase, type Verb } from './verb.ts';

export const views: Verb = {
  summary: 'Makes views of a service anew from its journal, while the gateway goes on',
  usage: ['views <service> [<view>]'],
  run: async ({ args: [name, view, ...rest] }) => {
    const services = Object.keys(storages).join(', ');
    if (name === undefined || rest.length > 0) throw new Usage(`views needs a service (one of ${services}).`);
    if (storages[name] === undefined) throw new Error(`There is no service "${name}": one of ${services}.`);
    return withDatabase('beside', async ({ databaseUrl, settings }) => {
      const rebuilt = await rebuildViewsOf(name, databaseUrl, settings, view, (entry) =>
        note(`Left out: ${unreadableText(entry)}`),
      );
      return { data: { rebuilt }, lines: [`Rebuilt ${rebuilt.join(', ')}.`] };
    });
  },
};
