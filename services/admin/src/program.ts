import { fileURLToPath } from 'node:url';
import { adminPages } from '@messaging-gateway/admin-pages';
import { readSettings } from '@messaging-gateway/runtime';
import { begun } from '@messaging-gateway/service/beginning';
import { adminSettings } from './config.ts';
import { portOf, servePages } from './serving.ts';

try {
  const settings = readSettings(adminSettings, process.env);
  const pages = adminPages({ folder: fileURLToPath(new URL('../dist', import.meta.url)), apiUrl: settings.apiUrl });
  if (pages === undefined) throw new Error('The web UI is not built: node tools/setup.mjs pages');
  const server = await servePages(pages, settings);
  begun();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      server.close();
      server.closeIdleConnections();
      // Answers are files of some kilobytes: who is still reading after this reads no more.
      setTimeout(() => server.closeAllConnections(), 2_000).unref();
    });
  process.stdout.write(
    `Ready. Web UI http://localhost:${portOf(server)}   API ${settings.apiUrl ?? 'of the same origin'}\n`,
  );
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
