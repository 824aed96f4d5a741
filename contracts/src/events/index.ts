export * from './identity/index.ts';
export * from './sessions/index.ts';
export * from './outbound/index.ts';
export * from './inbox/index.ts';
export * from './webhooks/index.ts';
export * from './insights/index.ts';
export * from './campaigns/index.ts';
export * from './automation/index.ts';
