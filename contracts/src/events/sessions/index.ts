export * from './connection.ts';
export * from './profile.ts';
export * from './health.ts';
export * from './session-message.ts';
export * from './session-receipt.ts';
export * from './session-message-changed.ts';
export * from './group.ts';
export * from './presence.ts';
