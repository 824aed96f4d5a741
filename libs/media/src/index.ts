export { fits, kindOf } from './kinds.ts';
export { localMediaStore } from './local/local-store.ts';
export { openMediaStore } from './open-media-store.ts';
export { mediaSettings } from './settings.ts';
export type { MediaSettings } from './settings.ts';
export type { ByteRange, MediaFacts, MediaObject, MediaStore, PutOptions, StoredMedia } from './store.ts';
