import { begin } from '@messaging-gateway/service/beginning';

begin();
await import('./program.ts');
