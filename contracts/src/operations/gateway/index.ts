export * from './get-media.ts';
export * from './get-start.ts';
export * from './health.ts';
export * from './upload-media.ts';
