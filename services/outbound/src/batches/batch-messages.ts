import {
  check,
  sendRoutes,
  type BodyOf,
  type Caller,
  type SendableType,
  type SendBulk,
} from '@messaging-gateway/contracts';
import { invalid } from '@messaging-gateway/messaging';
import type { RequestContext } from '@messaging-gateway/service';
import { type Compose, type SendFields, jidOf } from '../sending/drafts.ts';
import { invalidField } from '../composing/faults.ts';
import type { BatchMessage } from './batch.ts';
import { filled, missing } from './variables.ts';

type Body = BodyOf<typeof SendBulk>;

/** Messages composed at once: each may ask for what it quotes, or where a host is. */
const together = 20;

/**
 * The messages of a batch, with its variables filled in.
 *
 * @throws Refused VALIDATION_ERROR naming the field of the message, and what `Compose` throws
 */
export async function batchMessages(
  compose: Compose,
  { profileId, messages }: Body,
  caller: Caller,
  context: RequestContext,
): Promise<BatchMessage[]> {
  const composed: BatchMessage[] = [];
  const compound = async (message: Body['messages'][number], index: number): Promise<BatchMessage> => {
    const path = `body.messages[${index}]`;
    const fields = filledContent(message, profileId, `${path}.content`);
    const to = jidOf(message.chatId, `${path}.chatId`);
    const at = { profileId, to, caller, context, path: `${path}.content` };
    return { to, ...(await compose(message.type, fields, at)) };
  };
  for (let from = 0; from < messages.length; from += together) {
    const some = messages.slice(from, from + together);
    composed.push(...(await Promise.all(some.map((message, offset) => compound(message, from + offset)))));
  }
  return composed;
}

/**
 * The content of a message with its variables. A placeholder that was to be filled does not go out; a variable can make
 * a text too long, or empty: the route's rules hold for the filled one.
 */
function filledContent({ type, content, variables }: Body['messages'][number], profileId: string, path: string) {
  const lacking = missing(content, variables);
  if (lacking !== undefined) {
    const fault = `names the variable "${lacking.name}", which is not in \`variables\``;
    throw invalidField(`${path}.${lacking.field}`, fault);
  }
  const fields = filled(content, variables);
  if (variables === undefined) return fields as SendFields;
  const faults = check(sendRoutes[type satisfies SendableType].body, { profileId, to: '0000000', ...fields }, path);
  if (faults.length > 0) throw invalid(faults);
  return fields as SendFields;
}
