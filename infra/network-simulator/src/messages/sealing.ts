import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** Changes that the network encrypts with the secret of the message that they change. */
export type SealLabel = 'Poll Vote' | 'Message Edit' | 'Enc Reaction' | 'Enc Comment' | 'Event Response';

/** Which change it is. `author` wrote the message `target`, `editor` the change; addresses without a device. */
export type Seal = { label: SealLabel; target: string; author: string; editor: string; secret: Uint8Array };

export type Sealed = { encPayload?: Uint8Array | null; encIv?: Uint8Array | null };

const TAG_LENGTH = 16;
const WITH_ASSOCIATED_DATA: readonly SealLabel[] = ['Poll Vote', 'Event Response'];

export function seal(plain: Uint8Array, { label, ...which }: Seal): { encPayload: Buffer; encIv: Buffer } {
  const encIv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf({ label, ...which }), encIv);
  if (WITH_ASSOCIATED_DATA.includes(label)) cipher.setAAD(associated(which));
  return { encIv, encPayload: Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]) };
}

/** @returns undefined if the change was encrypted with another key */
export function unseal({ encPayload, encIv }: Sealed, { label, ...which }: Seal): Buffer | undefined {
  const payload = Buffer.from(encPayload ?? []);
  const cipher = createDecipheriv('aes-256-gcm', keyOf({ label, ...which }), encIv ?? Buffer.alloc(12));
  if (WITH_ASSOCIATED_DATA.includes(label)) cipher.setAAD(associated(which));
  try {
    cipher.setAuthTag(payload.subarray(-TAG_LENGTH));
    return Buffer.concat([cipher.update(payload.subarray(0, -TAG_LENGTH)), cipher.final()]);
  } catch {
    return undefined;
  }
}

/** HKDF with one block of output (RFC 5869): Node's own refuses more than 1,024 bytes of info, and ids can be longer. */
function keyOf({ label, target, author, editor, secret }: Seal): Buffer {
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(secret).digest();
  const info = `${target}${author}${editor}${label}`;
  return createHmac('sha256', extracted)
    .update(info)
    .update(Buffer.from([1]))
    .digest();
}

function associated({ target, editor }: Pick<Seal, 'target' | 'editor'>): Buffer {
  return Buffer.from(`${target}\0${editor}`);
}
