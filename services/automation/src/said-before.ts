import { PreviousMessages } from '@messaging-gateway/contracts';
import type { ServiceTools } from '@messaging-gateway/service';
import type { StepContext } from './step.ts';

interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** As many as the inbox tells at once. */
const most = 50;

/**
 * What was said in the chat before, oldest first, as providers want it: the messages that are answered together with this one, and so
 * many others.
 *
 * @param history how many others, 0 to 50
 */
export async function saidBefore(
  ask: ServiceTools<unknown>['ask'],
  { organizationId, conversationId, message, gathered }: StepContext,
  history: number,
): Promise<readonly Said[]> {
  const together = new Set(await gathered());
  if (history === 0 && together.size === 0) return [];
  const { messages } = await ask(PreviousMessages, {
    organizationId,
    conversationId,
    ...(message !== undefined && { before: message.id }),
    limit: together.size === 0 ? history : most,
  });
  let left = messages.filter(({ messageId }) => !together.has(messageId)).length - history;
  return messages.flatMap(({ messageId, role, content }) => {
    if (!together.has(messageId)) left -= 1;
    return together.has(messageId) || left < 0 ? [{ role, content }] : [];
  });
}
