export * from './definition.ts';
export * from './module.ts';
