import type { BinaryNode } from '@whiskeysockets/baileys';
import { bigEndian, bytesOf, child, fromBigEndian, node } from '../connection/nodes.ts';

/** Public keys are 32 bytes here; the Signal library wants the type byte 5 before them: `typed`. */
export type PreKey = { keyId: number; publicKey: Buffer };
export type SignedPreKey = PreKey & { signature: Buffer };
export type KeyBundle = {
  registrationId: number;
  identityKey: Buffer;
  signedPreKey: SignedPreKey;
  preKey: PreKey | undefined;
};
export type SignalKeyPair = { privKey: Buffer; pubKey: Buffer };

const KEY_TYPE = Buffer.from([5]);

export function typed(publicKey: Uint8Array): Buffer {
  return Buffer.concat([KEY_TYPE, publicKey]);
}

/** A bundle as the answer to a client's question for keys lists it. */
export function bundleNode(jid: string, bundle: KeyBundle): BinaryNode {
  return node('user', { jid }, [
    node('registration', {}, bigEndian(bundle.registrationId, 4)),
    node('type', {}, KEY_TYPE),
    node('identity', {}, bundle.identityKey),
    signedPreKeyNode(bundle.signedPreKey),
    ...preKeyNodes(bundle.preKey),
  ]);
}

/** The bundle that goes with a retry receipt. */
export function retryKeysNode(bundle: KeyBundle): BinaryNode {
  return node('keys', {}, [
    node('type', {}, KEY_TYPE),
    node('identity', {}, bundle.identityKey),
    ...preKeyNodes(bundle.preKey),
    signedPreKeyNode(bundle.signedPreKey),
  ]);
}

export function readPreKey(key: BinaryNode): PreKey {
  return { keyId: fromBigEndian(bytesOf(key, 'id')), publicKey: bytesOf(key, 'value') };
}

export function readSignedPreKey(parent: BinaryNode | undefined): SignedPreKey | undefined {
  const key = child(parent, 'skey');
  return key === undefined ? undefined : { ...readPreKey(key), signature: bytesOf(key, 'signature') };
}

function signedPreKeyNode(key: SignedPreKey): BinaryNode {
  return node('skey', {}, [...keyContent(key), node('signature', {}, key.signature)]);
}

function preKeyNodes(key: PreKey | undefined): BinaryNode[] {
  return key === undefined ? [] : [node('key', {}, keyContent(key))];
}

function keyContent(key: PreKey): BinaryNode[] {
  return [node('id', {}, bigEndian(key.keyId, 3)), node('value', {}, key.publicKey)];
}
