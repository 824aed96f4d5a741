import { begin } from '@messaging-gateway/service/beginning';

begin();
const { rowOf } = await import('../../registry.ts');
await rowOf('automation').runAlone();
