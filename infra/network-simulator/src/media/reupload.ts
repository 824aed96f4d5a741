import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { normalizeMessageContent, proto, type BinaryNode } from '@whiskeysockets/baileys';
import { child, node, nowSeconds } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';

const { SUCCESS, NOT_FOUND } = proto.MediaRetryNotification.ResultType;

/** A client found a file gone from the media host: its phone, which still has it, lays it there anew, if it does. */
export function reupload(network: Network, device: LinkedDevice, receipt: BinaryNode): void {
  const { id = '' } = receipt.attrs;
  const file = fileOf(device.owner.memory.get(id)?.message);
  const directPath = network.media.files.restore(file?.directPath ?? '');
  const result = directPath === undefined ? NOT_FOUND : SUCCESS;
  const plain = proto.MediaRetryNotification.encode({ stanzaId: id, directPath: directPath ?? null, result }).finish();
  const sealed = seal(plain, file?.mediaKey ?? new Uint8Array(), id);
  const rmr = child(receipt, 'rmr');
  device.deliver(
    node('notification', { id, type: 'mediaretry', from: device.owner.jid('phone'), t: nowSeconds() }, [
      node('encrypt', {}, [node('enc_p', {}, sealed.payload), node('enc_iv', {}, sealed.initial)]),
      ...(rmr === undefined ? [] : [rmr]),
    ]),
  );
}

function fileOf(message: proto.IMessage | undefined) {
  const { imageMessage, videoMessage, audioMessage, documentMessage, stickerMessage } =
    normalizeMessageContent(message) ?? {};
  return imageMessage ?? videoMessage ?? audioMessage ?? documentMessage ?? stickerMessage ?? undefined;
}

function seal(plain: Uint8Array, mediaKey: Uint8Array, id: string): { payload: Buffer; initial: Buffer } {
  const key = hkdfSync('sha256', mediaKey, Buffer.alloc(0), 'WhatsApp Media Retry Notification', 32);
  const initial = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), initial).setAAD(Buffer.from(id));
  return { payload: Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]), initial };
}
