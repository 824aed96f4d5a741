import type { SendOutcome } from '../engine.ts';

/** What the network's error codes in acknowledgements mean for the sender. */
const meanings: Readonly<Record<string, { code: string; reason: string }>> = {
  '401': { code: 'FORBIDDEN', reason: 'The network does not allow this profile to send to the chat (401).' },
  '403': { code: 'FORBIDDEN', reason: 'The profile may not write to this chat (403).' },
  '404': { code: 'RECIPIENT_UNKNOWN', reason: 'The network does not know the recipient (404).' },
  '406': { code: 'RECIPIENT_UNKNOWN', reason: 'The network does not accept the recipient (406).' },
  '463': { code: 'ENGINE_REFUSED', reason: 'The network does not let this profile write to strangers now (463).' },
  '479': { code: 'ENGINE_REFUSED', reason: 'The network found the message malformed or its keys outdated (479).' },
};

/** An acknowledgement with an error. */
export const refusedWith = (error: string): Extract<SendOutcome, { outcome: 'refused' }> => ({
  outcome: 'refused',
  ...(meanings[error] ?? { code: 'ENGINE_REFUSED', reason: `The network refused the message (${error}).` }),
});

export const recipientUnknown: Extract<SendOutcome, { outcome: 'refused' }> = {
  outcome: 'refused',
  code: 'RECIPIENT_UNKNOWN',
  reason: 'The number is not on the network. It must begin with its country code.',
};
