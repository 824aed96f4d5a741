export * from './reading.ts';
export * from './shapes.ts';
