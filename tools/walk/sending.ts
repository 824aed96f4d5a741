import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSimulator } from '@messaging-gateway/network-simulator';
import {
  linkProfile,
  register,
  startGatewayProcess,
  type LinkedProfile,
  type Tenant,
} from '@messaging-gateway/testing';
import { markHeader, type Recorded } from './recorded.ts';

const recording = new URL('recording.ts', import.meta.url).href;
const phone = '4915112345678';
const contact = '4915187654321';
/** The first messages load what later ones find; then each goes the same way. */
const before = 5;

/**
 * Starts the single process of a checkout on the simulated network, links a profile and sends texts, one after the other.
 *
 * @param root folder of the checkout, with its packages
 * @param times how many are recorded
 */
export async function recordSends(root: string, times: number): Promise<Recorded[]> {
  const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-walk-'));
  const simulator = await startSimulator();
  try {
    const recordings = join(directory, 'recordings');
    const gateway = await startGatewayProcess(
      {
        DATA_DIR: join(directory, 'data'),
        SOCKET_ENGINE_URL: simulator.url,
        SOCKET_ENGINE_ROOT_KEY: simulator.rootKey,
        SOCKET_ENGINE_CA_FILE: simulator.caFile,
        NODE_OPTIONS: `--import=${recording}`,
        WALK_ROOT: root,
        WALK_RECORDINGS: recordings,
      },
      root,
    );
    try {
      const world = { gateway, network: simulator };
      const tenant = await register(world);
      const profile = await linkProfile(world, tenant, phone);
      for (let count = 0; count < before; count += 1) await send(tenant, profile);
      const texts: string[] = [];
      for (let count = 0; count < times; count += 1) texts.push(await send(tenant, profile));
      return texts.map((text) => JSON.parse(readFileSync(join(recordings, `${text}.json`), 'utf8')) as Recorded);
    } finally {
      await gateway.stop();
    }
  } finally {
    await simulator.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function send(tenant: Tenant, { profileId }: LinkedProfile): Promise<string> {
  const text = `walk-${randomUUID()}`;
  const body = { profileId, to: contact, text };
  const answer = await tenant.call('POST', '/messages/text', body, { [markHeader]: text });
  if (answer.status !== 200) throw new Error(`POST /messages/text answered ${answer.status}`);
  return text;
}

/** The folder of this checkout. */
export const here = fileURLToPath(new URL('../..', import.meta.url));
