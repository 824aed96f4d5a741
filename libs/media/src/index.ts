export { fits, kindOf } from './kinds.ts';
export { localMediaStore } from './local/local-store.ts';
export { mimetypeOf } from './mimetype.ts';
export { openMediaStore } from './open-media-store.ts';
export { mediaSources } from './sources/media-sources.ts';
export type { MediaSources, OpenedMedia } from './sources/media-sources.ts';
export { mediaSettings } from './settings.ts';
export type { MediaSettings } from './settings.ts';
export type { ByteRange, MediaFacts, MediaObject, MediaStore, PutOptions, StoredMedia } from './store.ts';
