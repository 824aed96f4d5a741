import { randomBytes } from 'node:crypto';
import type { BinaryNode } from '@whiskeysockets/baileys';
import { node, nowSeconds, SERVER } from '../connection/nodes.ts';

/** The options of a WebAuthn assertion, which a browser signs with a passkey. */
const options = () => ({
  challenge: randomBytes(32).toString('base64url'),
  timeout: 600_000,
  rpId: 'whatsapp.com',
  allowCredentials: [],
  userVerification: 'required',
});

/** Asks the client, once the phone has scanned its code, to prove the account's passkey before it is linked. */
export function passkeyRequest(): BinaryNode {
  const id = randomBytes(6).toString('hex');
  return node('notification', { from: SERVER, type: 'passkey_prologue_request', id, t: nowSeconds() }, [
    node('passkey_request_options', {}, Buffer.from(JSON.stringify(options()))),
  ]);
}
