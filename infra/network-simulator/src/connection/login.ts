import type { proto } from '@whiskeysockets/baileys';
import type { Introduction } from '../noise/handshake.ts';
import type { ClientVersion, Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import { fromBigEndian, node, nowSeconds } from './nodes.ts';
import { CONFLICT, failure } from './stream-errors.ts';
import type { Connection } from './connection.ts';

/** Lets a client in, offers it to be linked, or refuses it. */
export function introduced(network: Network, connection: Connection, introduction: Introduction): void {
  const { payload, noiseKey } = introduction;
  if (isOlder(versionOf(payload), network.settings.clientVersionMinimum)) return refuse(network, connection, 405);
  if (payload.devicePairingData) {
    const asked = payload.devicePairingData;
    return network.pairing.offer(connection, {
      noiseKey,
      identityKey: Buffer.from(asked.eIdent ?? []),
      registrationId: fromBigEndian(Buffer.from(asked.eRegid ?? [])),
      signedPreKey: {
        keyId: fromBigEndian(Buffer.from(asked.eSkeyId ?? [])),
        publicKey: Buffer.from(asked.eSkeyVal ?? []),
        signature: Buffer.from(asked.eSkeySig ?? []),
      },
    });
  }
  const device = network.directory.person(String(payload.username))?.devices.get(payload.device ?? 0);
  if (device === undefined || !device.registration.noiseKey.equals(noiseKey)) return refuse(network, connection, 401);
  logIn(network, connection, device);
}

function logIn(network: Network, connection: Connection, device: LinkedDevice): void {
  device.connection?.end(CONFLICT);
  device.connection = connection;
  connection.device = device;
  network.statistics.network.logins += 1;
  network.log({ event: 'logged-in', device: device.id, waiting: device.mailbox.size });
  connection.send(node('success', { t: nowSeconds(), lid: device.lidJid, location: 'simulator' }));
}

function refuse(network: Network, connection: Connection, reason: 401 | 405): void {
  network.statistics.network.loginsRefused += 1;
  network.log({ event: 'login-refused', reason });
  connection.end(failure(reason));
}

function versionOf({ userAgent }: proto.ClientPayload): ClientVersion {
  const version = userAgent?.appVersion;
  return [version?.primary ?? 0, version?.secondary ?? 0, version?.tertiary ?? 0];
}

function isOlder(version: ClientVersion, minimum: ClientVersion): boolean {
  const difference = version.map((part, at) => part - (minimum[at] ?? 0)).find((one) => one !== 0);
  return difference !== undefined && difference < 0;
}
