import { randomBytes } from 'node:crypto';
import type { AuthenticationCreds, BinaryNode, WASocket } from '@whiskeysockets/baileys';
import { Refused } from '@messaging-gateway/messaging';
import { notConnected } from '../engine.ts';

/** Position of the secret among the comma-separated fields of a QR code. */
const secretField = 3;
const secretBytes = 32;
/** The server has this time to accept a pairing code, milliseconds. */
const acceptanceMs = 15_000;

/** The text of a QR code with the secret that the session has now. The library keeps the secret that it had when the server offered the code. */
export const withSecret = (qr: string, { advSecretKey }: Pick<AuthenticationCreds, 'advSecretKey'>): string =>
  qr.split(',').with(secretField, advSecretKey).join(',');

export const newSecret = (): string => randomBytes(secretBytes).toString('base64');

/** The server requests that the client replaces the secret in its QR code. The library cannot handle this before it is linked. */
export const isRefresh = ({ tag, attrs }: BinaryNode): boolean =>
  tag === 'notification' && attrs['type'] === 'companion_reg_refresh';

/** Acknowledges a notification before the client is linked: the library's acknowledgement names the account. */
export async function acknowledge(socket: Pick<WASocket, 'sendNode'>, { attrs }: BinaryNode): Promise<void> {
  const { id = '', from = '', type = '' } = attrs;
  await socket.sendNode({ tag: 'ack', attrs: { id, to: from, class: 'notification', type } });
}

/**
 * Requests a pairing code and waits until the server has accepted it. The library returns the code without an answer.
 *
 * @throws Refused ENGINE_REFUSED, ENGINE_TIMEOUT, PROFILE_NOT_CONNECTED
 */
export async function acceptedPairingCode(
  socket: Pick<WASocket, 'generateMessageTag' | 'requestPairingCode' | 'waitForMessage'>,
  phoneNumber: string,
): Promise<string> {
  const answer = socket.waitForMessage<BinaryNode>(tagAfter(socket.generateMessageTag()), acceptanceMs).catch(() => {
    throw notConnected();
  });
  answer.catch(() => undefined);
  const code = await socket.requestPairingCode(phoneNumber);
  const node = await answer;
  if (node === undefined) throw new Refused('ENGINE_TIMEOUT', 'The network did not accept the pairing code in time.');
  if (node.attrs['type'] === 'error')
    throw new Refused('ENGINE_REFUSED', `The network refused to link this number by a pairing code${codeOf(node)}.`);
  return code;
}

/** The tag of the library's next request: its tags end with a number that grows by one. */
const tagAfter = (tag: string): string => tag.replace(/\d+$/, (number) => String(Number(number) + 1));

function codeOf({ content }: BinaryNode): string {
  const error = Array.isArray(content) ? content.find(({ tag }) => tag === 'error') : undefined;
  const code = error?.attrs['code'];
  return code === undefined ? '' : ` (${code})`;
}
