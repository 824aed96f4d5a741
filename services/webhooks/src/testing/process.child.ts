// Webhooks with a teller of events in a process of their own, for tests that kill it. Arguments: database URL, settings (JSON).
import { CreateWebhook, type Caller } from '@messaging-gateway/contracts';
import { noMedia } from '@messaging-gateway/media/testing';
import { encryptionKeys, memoryCache, silentLogger, systemClock } from '@messaging-gateway/runtime';
import { runInProcess, withSettings } from '@messaging-gateway/service';
import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import { webhooks, type WebhooksSettings } from '../index.ts';
import { teller, type Telling } from './teller.ts';

export interface Order {
  readonly caller: Caller;
  readonly url?: string;
  readonly tell?: Telling;
}

const [databaseUrl = '', settings = '{}'] = process.argv.slice(2);
let tell: ((telling: Telling) => Promise<void>) | undefined;
const clock = systemClock;
const { ports } = await runInProcess(
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
    encryption: encryptionKeys('a test key with 32 characters...'),
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

process.on('message', (order: Order) => void carryOut(order).then(() => process.send?.('done')));
process.send?.('ready');

async function carryOut({ caller, url, tell: telling }: Order): Promise<void> {
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
