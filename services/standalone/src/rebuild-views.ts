// `npm run views:rebuild -- <service> [view]`: makes views anew from the journal, while the gateway goes on.
import { unreadableText } from '@messaging-gateway/event-sourcing';
import { runCommand, say } from './command.ts';
import { rebuildViewsOf } from './rebuild.ts';
import { storages } from './services.ts';

await runCommand('beside', async ({ databaseUrl, args, settings }) => {
  const [name = '', view] = args;
  if (storages[name] === undefined)
    throw new Error(
      `Usage: npm run views:rebuild -- <service> [view], with one of ${Object.keys(storages).join(', ')}`,
    );
  const rebuilt = await rebuildViewsOf(name, databaseUrl, settings, view, (entry) =>
    say(`Left out: ${unreadableText(entry)}`),
  );
  say(`Rebuilt ${rebuilt.join(', ')}.`);
});
