import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import {
  ApplySendingPolicy,
  DeliverMessage,
  DescribeProfile,
  SendText,
  SettleMessage,
  type Caller,
  type OutgoingContentOf,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { noMedia } from '@messaging-gateway/media/testing';
import { encryptionKeys, memoryCache, silentLogger, systemClock as clock } from '@messaging-gateway/runtime';
import { inProcessPorts, runService } from '@messaging-gateway/service';
import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import { outbound } from '../index.ts';
import { textOf } from '../testing/text-of.ts';
import { noOtherChannels } from '../testing/other-channels.ts';

/** Options of the process, as JSON in its first argument. */
export interface ProcessOptions {
  readonly databaseUrl: string;
  readonly durableSend: boolean;
  /** The network that outlives the process: a line for each stanza (`out`) and each acknowledgement (`ack`). */
  readonly networkFile: string;
  readonly caller: Caller;
  readonly profileId: string;
  readonly messageDelayMs: number;
  /** The network falls silent after so many stanzas of this process. */
  readonly silentAfter?: number;
  /** How long the network takes for an acknowledgement, milliseconds. */
  readonly acknowledgesAfterMs: number;
}

export type Asked = {
  readonly id: number;
  readonly text: string;
  readonly resourceId: string;
  readonly repeated: boolean;
};
export type Answered = {
  readonly id: number;
  readonly status?: number;
  readonly body?: unknown;
  readonly code?: string;
};

const options = JSON.parse(process.argv[2] ?? '{}') as ProcessOptions;
const lines = (): string[] =>
  existsSync(options.networkFile) ? readFileSync(options.networkFile, 'utf8').split('\n') : [];
let stanzas = 0;

const ports = inProcessPorts({ clock, log: silentLogger });
const serve = (name: string, handler: (body: never) => Promise<unknown>, route?: string) =>
  ports.operations.serve(name, async ({ body }) => ({ status: 200, body: await handler(body as never) }), route);

await serve(DescribeProfile.name, async () => ({ profileId: options.profileId, status: 'connected' }));
await serve(
  SettleMessage.name,
  async ({ networkMessageId }: { networkMessageId: string }) => {
    const known = lines();
    if (known.includes(`ack ${networkMessageId}`))
      return { state: 'acknowledged', handedOverAt: new Date().toISOString() };
    return { state: known.some((line) => line.startsWith(`out ${networkMessageId}`)) ? 'handed-over' : 'never-seen' };
  },
  options.profileId,
);
await serve(DeliverMessage.name, deliver, options.profileId);

async function deliver(body: {
  networkMessageId: string;
  content: OutgoingContentOf;
  keep?: boolean;
}): Promise<unknown> {
  const { networkMessageId, content, keep = false } = body;
  const handedOverAt = new Date().toISOString();
  if (lines().includes(`ack ${networkMessageId}`)) return { outcome: 'acknowledged', handedOverAt };
  appendFileSync(options.networkFile, `out ${networkMessageId} ${textOf(content)}\n`);
  stanzas += 1;
  if (options.silentAfter !== undefined && stanzas > options.silentAfter) return new Promise(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, options.acknowledgesAfterMs));
  appendFileSync(options.networkFile, `ack ${networkMessageId}\n`);
  return { outcome: 'acknowledged', handedOverAt, ...(keep && { kept: true }) };
}

await runService(
  outbound,
  {
    durableSend: options.durableSend,
    sendConcurrency: 10,
    rebalanceSeconds: 0,
    queuedMessageTtlHours: 72,
    receiptWindowDays: 90,
    sendHistoryRetentionDays: 400,
    ...noOtherChannels,
    isAlone: true,
    allowPrivateTargets: false,
    ffmpeg: undefined,
  },
  {
    ports,
    clock,
    log: silentLogger,
    databaseUrl: options.databaseUrl,
    metrics: new Registry(),
    cache: memoryCache(clock),
    media: noMedia,
    encryption: encryptionKeys('a test key with 32 characters...'),
  },
);

const requestOf = (body: unknown, resourceId = v7(), repeated = false) => ({
  requestId: v7(),
  resourceId,
  repeated,
  params: {},
  query: {},
  body,
  deadline: Date.now() + 90_000,
  caller: options.caller,
});
const { organizationId } = options.caller;
const { profileId, messageDelayMs } = options;
await ports.operations.request(ApplySendingPolicy.name, requestOf({ organizationId, profileId, messageDelayMs }));

process.on('message', ({ id, text, resourceId, repeated }: Asked) => {
  const answer = (answered: Omit<Answered, 'id'>): void => void process.send?.({ id, ...answered } satisfies Answered);
  ports.operations
    .request(SendText.name, requestOf({ profileId, to: '4915112345678', text }, resourceId, repeated))
    .then(
      ({ status, body }) => answer({ status, body }),
      (error: unknown) => answer({ code: error instanceof Refused ? error.code : String(error) }),
    );
});
process.send?.('ready');
