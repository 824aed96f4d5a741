export * from './organization-created.ts';
