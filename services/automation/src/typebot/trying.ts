import type { AnswerOf, TryTypebot } from '@messaging-gateway/contracts';
import { openedFor, type EncryptionKeys } from '@messaging-gateway/runtime';
import { resolvedTargetFault } from '@messaging-gateway/target-guard';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import { apiRoot, TypebotClient } from './client.ts';
import type { TypebotSettings } from './definition.ts';
import type { Caller } from '../outside/calling.ts';

type Outcome = AnswerOf<typeof TryTypebot>;

/** Starts a session as a chat does, whatever the bridge's breaker thinks of it. */
export async function tryTypebot(
  { caller, encryption, allowPrivate }: { caller: Caller; encryption: EncryptionKeys; allowPrivate: boolean },
  { organizationId, settings }: Static<(typeof TryTypebot)['body']>,
): Promise<Outcome> {
  const { typebot = {} } = openedFor(encryption, organizationId, settings) as { typebot?: TypebotSettings };
  const { apiUrl, botId } = typebot;
  if (apiUrl === undefined || botId === undefined) return { success: false, message: 'apiUrl and botId are needed.' };
  const fault = await resolvedTargetFault(apiRoot(apiUrl), { allowPrivate });
  if (fault !== undefined) return { success: false, message: `The URL ${fault}.` };
  const client = new TypebotClient(caller);
  try {
    const asking = { organizationId, id: v7(), signal: new AbortController().signal };
    const asked = await client.start({ apiUrl, botId }, { text: undefined, variables: {} }, asking);
    if (asked.ok)
      return typeof asked.reply.sessionId === 'string'
        ? { success: true, message: 'The bot has started a session.' }
        : { success: false, message: 'It answered, but with no session.' };
    if (asked.statusCode !== undefined) return { success: false, message: `It answered ${asked.statusCode}.` };
    return { success: false, message: `It cannot be reached: ${asked.error}` };
  } finally {
    client.stop();
  }
}
