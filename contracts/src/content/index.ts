export * from './bounded.ts';
export * from './change.ts';
export * from './incoming.ts';
export * from './media-source.ts';
export * from './outgoing.ts';
export * from './quoted.ts';
export * from './record.ts';
export * from './stored-types.ts';
