/** Types of stored messages. Messages that the engine could not read are `unsupported`. */
export const storedTypes = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'location',
  'contact',
  'poll',
  'sticker',
  'unsupported',
] as const;
export type StoredType = (typeof storedTypes)[number];
