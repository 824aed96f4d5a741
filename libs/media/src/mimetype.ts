import { fileTypeFromBuffer } from 'file-type';

/** As many bytes of the beginning are looked at. */
export const headBytes = 4_100;

const anything = 'application/octet-stream';
/** No type is longer, parameters included. */
const mostSaid = 255;
const wellFormed = /^[a-z0-9][\w.+-]*\/[a-z0-9][\w.+-]*(\s*;\s*[\w-]+=[\w.+-]+)*$/i;

/** Bytes tell the container; the sender may say which of the formats in it this is. */
const containers: Readonly<Record<string, RegExp>> = {
  'application/zip': /^application\/(vnd\.(openxmlformats-|oasis\.|ms-)|epub\+zip|java-archive)/,
  'application/x-cfb': /^application\/(msword|vnd\.(ms-|visio))/,
  'application/xml': /^(image\/svg\+xml|text\/xml|application\/([\w.-]+\+)?xml)/,
  'video/webm': /^audio\/webm/,
  'video/mp4': /^audio\/(mp4|x-m4a|aac)/,
  'video/3gpp': /^audio\/3gpp/,
  'video/3gpp2': /^audio\/3gpp2/,
  'video/quicktime': /^audio\/(mp4|x-m4a)/,
  'video/matroska': /^audio\/(x-)?matroska/,
  'application/ogg': /^(audio|video)\/ogg/,
  'audio/ogg': /^audio\/ogg/,
};

/** Types without marks of their own in the bytes: believed for what is text. */
const textual = /^(text\/[\w.+-]+|application\/(json|xml|javascript|x-ndjson|sql|rtf|yaml|x-yaml|[\w.-]+\+(json|xml)))/;

/**
 * The type of media, read from their first bytes. What the sender says counts only where it fits the bytes: as the
 * format inside a container, or as the sort of a text.
 *
 * @param head the first `headBytes`, or all
 */
export async function mimetypeOf(head: Uint8Array, declared?: string): Promise<string> {
  const isOne = declared !== undefined && declared.length <= mostSaid && wellFormed.test(declared);
  const said = isOne ? declared.toLowerCase() : undefined;
  const found = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime;
  if (found !== undefined) {
    const bare = found.split(';')[0] ?? found;
    return said !== undefined && containers[bare]?.test(said) === true ? said : found;
  }
  if (head.length === 0 || !isText(head)) return anything;
  return said !== undefined && textual.test(said) ? said : 'text/plain';
}

function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    // The last character may be cut off: as part of a stream that is no fault.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
