// Imports the modules that the arguments name, then lets a contact replace its session and send an unreadable message:
// the Signal library prints the replaced session with its private keys, and the failure.
import { ProtocolAddress, SessionBuilder, SessionCipher, SessionRecord, type SignalStorage } from 'libsignal';
import { calculateSignature, generateKeyPair } from 'libsignal/src/curve.js';

for (const name of process.argv.slice(2)) await import(name);

function newKeys() {
  const { pubKey, privKey } = generateKeyPair();
  return { pubKey: Buffer.from(pubKey), privKey: Buffer.from(privKey) };
}

const [identity, signedPreKey, preKey] = [newKeys(), newKeys(), newKeys()];

function storage(own: ReturnType<typeof newKeys>): SignalStorage {
  const record = new SessionRecord();
  return {
    loadSession: async () => record,
    storeSession: async () => undefined,
    isTrustedIdentity: () => true,
    loadPreKey: async () => preKey,
    removePreKey: () => undefined,
    loadSignedPreKey: () => signedPreKey,
    getOurRegistrationId: () => 1,
    getOurIdentity: () => own,
  };
}

const contactIdentity = newKeys();
const receiver = new SessionCipher(storage(identity), new ProtocolAddress('contact', 0));

for (const text of ['from the first session', 'from the session that replaces it']) {
  const [contact, address] = [storage(contactIdentity), new ProtocolAddress('receiver', 0)];
  await new SessionBuilder(contact, address).initOutgoing({
    registrationId: 1,
    identityKey: identity.pubKey,
    signedPreKey: {
      keyId: 1,
      publicKey: signedPreKey.pubKey,
      signature: calculateSignature(identity.privKey, signedPreKey.pubKey),
    },
    preKey: { keyId: 1, publicKey: preKey.pubKey },
  });
  const { body } = await new SessionCipher(contact, address).encrypt(Buffer.from(text));
  const message = Buffer.from(body, 'binary');
  if ((await receiver.decryptPreKeyWhisperMessage(message)).toString() !== text) throw new Error('Not decrypted.');
}
const wasRead = await receiver.decryptWhisperMessage(Buffer.alloc(64, 0x33)).then(
  () => true,
  () => false,
);
if (wasRead) throw new Error('An unreadable message was decrypted.');
