export { liveFor } from '../times.ts';
