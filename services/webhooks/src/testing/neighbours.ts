import {
  AcceptMessage,
  DescribePerson,
  ListIntegrations,
  ReadIntegrations,
  type AnswerOf,
  type InternalOperation,
} from '@messaging-gateway/contracts';
import type { OperationBus } from '@messaging-gateway/messaging';
import { sealedFor, type EncryptionKeys } from '@messaging-gateway/runtime';
import { Pool } from 'pg';
import type { Static } from 'typebox';

/** Settings of an organization for Chatwoot. */
export type BridgeSettings = Readonly<Record<string, unknown>>;

/**
 * Stands for identity, inbox and outbound beside a process of webhooks. What lanes accept is in the table `public.accepted`, each message
 * once, in its order, whatever process was asked.
 *
 * @returns what identity has, by organization
 */
export async function serveNeighbours(
  operations: OperationBus,
  databaseUrl: string,
  encryption: EncryptionKeys,
): Promise<Map<string, BridgeSettings>> {
  const bridges = new Map<string, BridgeSettings>();
  const pool = new Pool({ connectionString: databaseUrl, max: 4 });
  pool.on('error', () => undefined);
  const serve = <O extends InternalOperation>(
    { name }: O,
    handler: (body: Static<O['body']>) => Promise<AnswerOf<O>> | AnswerOf<O>,
  ): Promise<unknown> =>
    operations.serve(name, async ({ body }) => ({ status: 200, body: await handler(body as Static<O['body']>) }));
  await serve(ListIntegrations, () => ({ organizationIds: [], next: null }));
  await serve(ReadIntegrations, ({ organizationId }) => ({
    version: 1,
    settings: sealedFor(encryption, organizationId, { chatwoot: bridges.get(organizationId) ?? {} }),
  }));
  await serve(DescribePerson, ({ jid }) => ({
    contactId: null,
    name: null,
    pushName: null,
    tags: [],
    metadata: {},
    blocked: false,
    phone: /^(\d+)@c\.us$/.exec(jid)?.[1] ?? null,
    lid: null,
  }));
  await serve(AcceptMessage, async ({ messageId, to, content }) => {
    await pool.query(
      'INSERT INTO public.accepted (message_id, chat, words) VALUES ($1, $2, $3) ON CONFLICT (message_id) DO NOTHING',
      [messageId, to, content['text']],
    );
    return { status: 'queued' as const, attempts: 0 };
  });
  return bridges;
}
