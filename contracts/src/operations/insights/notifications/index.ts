export * from './push.ts';
export * from './reading.ts';
export * from './shapes.ts';
