import { parseRecipient } from '@messaging-gateway/contracts';
import { phoneHint } from '@messaging-gateway/phone-hints';
import type { Failure } from '../message/message.ts';

/**
 * A refusal as it is told: who is not on the network may have been written wrongly. It changes words only, never where a
 * message goes.
 *
 * @param to where the message was to go, as far as that is known here
 */
export async function explained(error: Failure, to: string | undefined): Promise<Failure> {
  if (error.code !== 'RECIPIENT_UNKNOWN' || to === undefined) return error;
  const phone = parseRecipient(to)?.phone;
  const hint = phone === undefined ? undefined : await phoneHint(phone);
  return hint === undefined ? error : { ...error, message: `${error.message} ${hint}` };
}
