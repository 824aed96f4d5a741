export * from './runs.ts';
export * from './evaluate.ts';
export * from './knowledge/index.ts';
