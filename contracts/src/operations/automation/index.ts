export * from './runs.ts';
export * from './evaluate.ts';
