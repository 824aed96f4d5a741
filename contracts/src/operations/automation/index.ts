export * from './flows/index.ts';
export * from './runs.ts';
export * from './evaluate.ts';
export * from './knowledge/index.ts';
export * from './auto-replies.ts';
export * from './quick-replies.ts';
export * from './ai/index.ts';
export * from './hooks.ts';
