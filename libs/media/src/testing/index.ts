export { noMedia } from './no-media.ts';
export { generated, png, sourceOf } from '../suites/sources.ts';
export { oggOpus, wav } from './sounds.ts';
