import type { AnswerOf, TryChatwoot } from '@messaging-gateway/contracts';
import { openedFor, type EncryptionKeys } from '@messaging-gateway/runtime';
import { resolvedTargetFault } from '@messaging-gateway/target-guard';
import type { Static } from 'typebox';
import type { WebhooksSettings } from '../config.ts';
import { ChatwootFailed, type ChatwootClient } from './client.ts';
import { inboxOf, needed, type ChatwootSettings } from './settings.ts';

/** Asks for the inbox, as the bridge asks everything. */
export async function tryChatwoot(
  parts: { readonly client: ChatwootClient; readonly encryption: EncryptionKeys; readonly settings: WebhooksSettings },
  { organizationId, settings }: Static<(typeof TryChatwoot)['body']>,
): Promise<AnswerOf<typeof TryChatwoot>> {
  const { chatwoot = {} } = openedFor(parts.encryption, organizationId, settings) as { chatwoot?: ChatwootSettings };
  const inbox = inboxOf(organizationId, chatwoot);
  if (inbox === undefined) return { success: false, message: needed };
  const fault = await resolvedTargetFault(inbox.url, { allowPrivate: parts.settings.allowPrivateTargets });
  if (fault !== undefined) return { success: false, message: `The URL ${fault}.` };
  try {
    await parts.client.inbox(inbox);
    return { success: true, message: 'It answers.' };
  } catch (error) {
    if (!(error instanceof ChatwootFailed)) throw error;
    const { status, word } = error;
    return {
      success: false,
      message: status === undefined ? `It cannot be reached: ${word}` : `It answered ${status}.`,
    };
  }
}
