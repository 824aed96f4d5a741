// Starts and ends the servers of a test run. Its standard input is held open by the run: when that ends, in whatever
// way, so do the servers.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { findServers } from '../finding/find.ts';
import { brokerKinds } from '../server.ts';
import { openDoor } from './door.ts';
import { openKeeper } from './keeper.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
const runEnds = finished(process.stdin.resume()).catch(() => undefined);

const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-test-'));
// PostgreSQL runs as another user when this is root.
chmodSync(folder, 0o755);
const { docker, servers: found } = await findServers();
const keeper = openKeeper(folder, found);
const { server, port } = await openDoor(keeper);
const state = {
  url: `http://127.0.0.1:${port}`,
  docker,
  servers: Object.fromEntries(
    brokerKinds.map((kind) => [
      kind,
      { own: found[kind].ways.length > 0, secured: found[kind].securedWays.length > 0, missing: found[kind].missing },
    ]),
  ),
};
process.stdout.write(`${JSON.stringify(state)}\n`);

await runEnds;
server.closeAllConnections();
server.close();
await keeper.close();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
