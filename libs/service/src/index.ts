export * from './definition.ts';
export * from './module.ts';
export * from './paging.ts';
