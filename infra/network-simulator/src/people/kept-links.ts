import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Network } from '../network.ts';
import type { Registration } from './linked-device.ts';

/** A linked phone as it is kept; keys are base64. */
type KeptPhone = { phone: string; pushName: string; devices: KeptDevice[] };
type KeptDevice = {
  id: number;
  noiseKey: string;
  identityKey: string;
  registrationId: number;
  signedPreKey: { keyId: number; publicKey: string; signature: string };
};

/** Writes down who is linked: with the same seed its devices are let in again. Messages and sessions are not kept. */
export function keepLinks(network: Network, file: string): void {
  const phones: KeptPhone[] = [...network.directory.everybody()]
    .filter(({ devices }) => devices.size > 0)
    .map(({ phone, pushName, devices }) => ({
      phone,
      pushName,
      devices: [...devices.values()].map(({ id, registration }) => keptDevice(id, registration)),
    }));
  writeFileSync(`${file}.new`, JSON.stringify(phones), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Lets in again who was linked. Nothing when there is no such file yet. */
export function restoreLinks(network: Network, file: string): void {
  for (const { phone, pushName, devices } of readKept(file)) {
    const person = network.directory.person(phone);
    if (person === undefined) continue;
    person.pushName = pushName;
    for (const { id, ...kept } of devices) person.relink(id, registrationOf(kept));
  }
}

function readKept(file: string): readonly KeptPhone[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as KeptPhone[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function keptDevice(id: number, registration: Registration): KeptDevice {
  const { noiseKey, identityKey, registrationId, signedPreKey } = registration;
  const { keyId, publicKey, signature } = signedPreKey;
  return {
    id,
    noiseKey: noiseKey.toString('base64'),
    identityKey: identityKey.toString('base64'),
    registrationId,
    signedPreKey: { keyId, publicKey: publicKey.toString('base64'), signature: signature.toString('base64') },
  };
}

function registrationOf({ noiseKey, identityKey, registrationId, signedPreKey }: Omit<KeptDevice, 'id'>): Registration {
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
  const { keyId, publicKey, signature } = signedPreKey;
  return {
    noiseKey: bytes(noiseKey),
    identityKey: bytes(identityKey),
    registrationId,
    signedPreKey: { keyId, publicKey: bytes(publicKey), signature: bytes(signature) },
  };
}
