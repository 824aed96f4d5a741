import { jidDecode, type AuthenticationCreds } from '@whiskeysockets/baileys';
import type { Self } from './addresses.ts';

/** A link by pairing code begins with a placeholder. */
export const nameOf = (name: string | undefined): string | undefined =>
  name === '~' || name === '' ? undefined : name;

/** Who a client is, once it is linked. */
export function selfOf({ me }: AuthenticationCreds): Self {
  return { phone: jidDecode(me?.id)?.user ?? '', lid: jidDecode(me?.lid)?.user };
}
