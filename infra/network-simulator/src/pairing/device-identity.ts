import { hmacSign, proto, WA_ADV_ACCOUNT_SIG_PREFIX } from '@whiskeysockets/baileys';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';

/** The phone's word that a client belongs to its account: signed by the account, sealed with the linking secret. */
export function signedDeviceIdentity(person: Person, device: LinkedDevice, secret: Buffer): Uint8Array {
  const details = proto.ADVDeviceIdentity.encode({
    rawId: person.keys.registrationId,
    timestamp: Math.floor(Date.now() / 1000),
    keyIndex: device.id,
  }).finish();
  const message = Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, device.registration.identityKey]);
  const signed = proto.ADVSignedDeviceIdentity.encode({
    details,
    accountSignatureKey: person.keys.identity.public,
    accountSignature: person.keys.identity.sign(message),
  }).finish();
  return proto.ADVSignedDeviceIdentityHMAC.encode({ details: signed, hmac: hmacSign(signed, secret) }).finish();
}
