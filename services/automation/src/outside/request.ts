import { namedUuids } from '@messaging-gateway/contracts';
import type { StepContext } from '../step.ts';

const idOf = namedUuids('2a57c1f4-9d31-5f63-8f0c-6b1c4f7d9e21');

/** Id of what a step asks outside: the same however often it is asked. */
export const requestIdOf = ({ runId, index }: StepContext): string => idOf(`${runId} ${index}`);

/**
 * Body of the request to a tenant's URL about a message. `flowId` and `runId` are null but for flows; `data` is as in
 * `message.received`.
 *
 * @param event `automation.action`, `webhook-reply`, `ai-hook` or `ai.tool`
 * @param further fields beside those, or in their place
 */
export async function requestBody(event: string, context: StepContext, further: object = {}): Promise<string> {
  const { kind, answererId, runId, profileId, startedAt, message, match } = context;
  const isFlow = kind === 'flow';
  const { contactId, name, pushName, phone, lid, tags, metadata } = await context.person();
  return JSON.stringify({
    id: requestIdOf(context),
    event,
    flowId: isFlow ? answererId : null,
    runId: isFlow ? runId : null,
    profileId,
    timestamp: new Date(startedAt).toISOString(),
    data: message ?? null,
    contact: { id: contactId, name: name ?? pushName, phone, lid, tags, metadata },
    match: match?.text ?? null,
    ...further,
  });
}
