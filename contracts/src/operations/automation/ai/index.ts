export * from './generating.ts';
export * from './settings.ts';
export { ChatTurn } from './shapes.ts';
