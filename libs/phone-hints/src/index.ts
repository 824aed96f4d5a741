export { phoneHint } from './phone-hint.ts';
