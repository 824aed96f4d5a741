// Webhooks with a teller of events in a process of their own, for tests that kill it. Arguments: database URL, settings (JSON).
import { CreateWebhook, TakeChatwootEvent, type Caller } from '@messaging-gateway/contracts';
import { noMedia } from '@messaging-gateway/media/testing';
import { encryptionKeys, memoryCache, silentLogger, systemClock } from '@messaging-gateway/runtime';
import { inProcessPorts, runInProcess, withSettings } from '@messaging-gateway/service';
import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import { webhooks, type WebhooksSettings } from '../index.ts';
import { serveNeighbours, type BridgeSettings } from './neighbours.ts';
import { teller, type Telling } from './teller.ts';

export interface Order {
  readonly caller: Caller;
  readonly url?: string;
  readonly tell?: Telling;
  /** What identity has of the organization's Chatwoot. */
  readonly bridge?: BridgeSettings;
  /** Chatwoot tells an event, with the token of the bridge. */
  readonly callback?: { readonly token: string; readonly event: object };
}

const [databaseUrl = '', settings = '{}'] = process.argv.slice(2);
let tell: ((telling: Telling) => Promise<void>) | undefined;
const clock = systemClock;
const encryption = encryptionKeys('a test key with 32 characters...');
const ports = inProcessPorts({ clock, log: silentLogger });
const bridges = await serveNeighbours(ports.operations, databaseUrl, encryption);
await runInProcess(
  [
    withSettings(
      teller((tells) => (tell = tells)),
      {},
    ),
    withSettings(webhooks, JSON.parse(settings) as WebhooksSettings),
  ],
  {
    databaseUrl,
    clock,
    log: silentLogger,
    metrics: new Registry(),
    cache: memoryCache(clock),
    media: noMedia,
    encryption,
    ports,
  },
);

/** So long a process may stand still, milliseconds: after four seconds others take what it has in hand. */
const stallMs = 2_000;
let lookedAt = performance.now();
setInterval(() => {
  const now = performance.now();
  if (now - lookedAt > stallMs) process.send?.('stood still');
  lookedAt = now;
}, 100).unref();

process.on('message', ({ id, order }: { readonly id: number; readonly order: Order }) => {
  void carryOut(order).then(
    () => process.send?.(`done ${id}`),
    () => process.send?.(`failed ${id}`),
  );
});
process.send?.('ready');

async function carryOut({ caller, url, tell: telling, bridge, callback }: Order): Promise<void> {
  if (bridge !== undefined) bridges.set(caller.organizationId, bridge);
  if (callback !== undefined)
    await ports.operations.request(TakeChatwootEvent.name, {
      requestId: v7(),
      resourceId: v7(),
      deadline: clock.now() + 10_000,
      params: { id: caller.organizationId },
      query: { token: callback.token },
      body: { text: JSON.stringify(callback.event), headers: {} },
    });
  if (url !== undefined) {
    await ports.operations.request(CreateWebhook.name, {
      requestId: v7(),
      resourceId: v7(),
      deadline: clock.now() + 10_000,
      caller,
      params: {},
      query: {},
      body: { url, events: ['*'] },
    });
  }
  if (telling !== undefined) await tell?.(telling);
}
