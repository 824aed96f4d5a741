import { Refused } from '@messaging-gateway/messaging';

/** Said with every refusal of a delivery: the message has not left and will not. */
export const nothingLeft = { nothingLeft: true } as const;

/** The profile has no connection, so nothing can leave. */
export const notConnected = (): Refused =>
  new Refused('PROFILE_NOT_CONNECTED', 'The profile has no connection to the network now.', nothingLeft);
