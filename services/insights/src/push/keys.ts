import { createECDH } from 'node:crypto';
import type { EncryptionKeys } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import { vapidFault, type VapidPair } from './vapid.ts';

const boundTo = 'push keys';

/** A new pair of P-256, raw, base64url. */
function newPair(): VapidPair {
  const curve = createECDH('prime256v1');
  const publicKey = curve.generateKeys().toString('base64url');
  // Without the zeros at its beginning it would be no key for whoever reads it.
  const privateKey = Buffer.concat([Buffer.alloc(32), curve.getPrivateKey()])
    .subarray(-32)
    .toString('base64url');
  return { publicKey, privateKey };
}

/**
 * The pair that pushes are signed with: that of the settings, else the one of the database, which is made where there is none.
 * Replicas that begin at the same time take the same one.
 */
export async function installationPair(
  sql: Sql,
  encryption: EncryptionKeys,
  given: VapidPair | undefined,
): Promise<VapidPair> {
  if (given !== undefined) return given;
  const made = newPair();
  await sql.query('INSERT INTO push_keys (public_key, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    made.publicKey,
    encryption.seal(Buffer.from(made.privateKey), boundTo),
  ]);
  const [row] = await sql.query<{ public_key: string; sealed: Buffer }>('SELECT public_key, sealed FROM push_keys');
  if (row === undefined) throw new Error('There is no pair of keys for pushes.');
  const plain = encryption.open(row.sealed, boundTo);
  const pair = { publicKey: row.public_key, privateKey: plain.toString() };
  const fault = vapidFault(pair);
  if (fault !== undefined) throw new Error(`The pair of keys for pushes is broken: ${fault}`);
  // With the present key of encryption from now on.
  if (row.sealed.subarray(1, 5).toString('hex') !== encryption.currentKeyId)
    await sql.query('UPDATE push_keys SET sealed = $2 WHERE public_key = $1', [
      pair.publicKey,
      encryption.seal(plain, boundTo),
    ]);
  return pair;
}
