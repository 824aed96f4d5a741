import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { proto } from '@whiskeysockets/baileys';
import { sha256 } from '../media/cipher.ts';

/** Which vote it is: the addresses are those that the voter's client goes by, without a device. */
export type VoteOf = { poll: string; creatorJid: string; voterJid: string; secret: Uint8Array };

const TAG_LENGTH = 16;

/** A vote names the hashes of the options chosen, encrypted with a key that only who has the poll can derive. */
export function encryptVote(options: string[], vote: VoteOf): proto.Message.IPollEncValue {
  const selectedOptions = options.map((option) => sha256(Buffer.from(option)));
  const plain = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish();
  const encIv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(vote), encIv).setAAD(associated(vote));
  return { encIv, encPayload: Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]) };
}

/** @returns the hashes of the options chosen, hex; undefined when the key is another */
export function decryptVote(value: proto.Message.IPollEncValue, vote: VoteOf): string[] | undefined {
  const payload = Buffer.from(value.encPayload ?? []);
  const cipher = createDecipheriv('aes-256-gcm', keyOf(vote), value.encIv ?? Buffer.alloc(12));
  cipher.setAAD(associated(vote)).setAuthTag(payload.subarray(-TAG_LENGTH));
  try {
    const plain = Buffer.concat([cipher.update(payload.subarray(0, -TAG_LENGTH)), cipher.final()]);
    const { selectedOptions } = proto.Message.PollVoteMessage.decode(plain);
    return selectedOptions.map((hash) => Buffer.from(hash).toString('hex'));
  } catch {
    return undefined;
  }
}

function keyOf({ poll, creatorJid, voterJid, secret }: VoteOf): Buffer {
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(secret).digest();
  const purpose = Buffer.concat([Buffer.from(`${poll}${creatorJid}${voterJid}Poll Vote`), Buffer.from([1])]);
  return createHmac('sha256', extracted).update(purpose).digest();
}

function associated({ poll, voterJid }: VoteOf): Buffer {
  return Buffer.from(`${poll}\0${voterJid}`);
}
