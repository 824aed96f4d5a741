import { begin } from '@messaging-gateway/service/beginning';

begin();
const { keepCompiledCode } = await import('./compiled-code.ts');
keepCompiledCode();
await import('./program.ts');
