export * from './organization-created.ts';
export * from './member-invited.ts';
export * from './member-removed.ts';
export * from './member-left.ts';
export * from './integrations-changed.ts';
export * from './preferences-changed.ts';
export * from './members-changed.ts';
