import { Refused } from '@messaging-gateway/messaging';
import type { EngineSession } from '../engine/engine.ts';

/** Nobody types a pairing code into a connection that is still being made after so long. */
const pairingMs = 30_000;

/** @throws Refused CONFLICT when the session is linked, ENGINE_TIMEOUT */
export async function pairingCode(session: EngineSession, phoneNumber: string): Promise<string> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Refused('ENGINE_TIMEOUT', 'The network gave no pairing code in time.')),
    pairingMs,
  );
  return Promise.race([session.requestPairingCode(phoneNumber), late]).finally(() => clearTimeout(timer));
}
