import { begin } from '@messaging-gateway/service/beginning';
import { keepCompiledCode } from './compiled-code.ts';

begin();
keepCompiledCode();
await import('./program.ts');
