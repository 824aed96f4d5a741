export * from './broadcast.ts';
