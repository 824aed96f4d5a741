export * from './identity.ts';
export * from './inbox.ts';
export * from './sessions.ts';
export * from './numbers.ts';
export * from './people.ts';
export * from './outbound.ts';
export * from './webhooks.ts';
